import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
const FILE = 'secret.key';

/**
 * The key from which all others are derived. Replicas share it by `SCHNEEAI_SECRET_KEY`; a single gateway makes its own on
 * the first start and keeps it beside the embedded store.
 */
export function loadSecretKey(configured: string | null, dataDir: string): Buffer {
  return configured === null ? storedKey(dataDir) : Buffer.from(configured, 'utf8');
}

/** An independent key for one purpose, hex. */
export function deriveKey(secretKey: Buffer, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `schneeai ${purpose}`, KEY_BYTES)).toString('hex');
}

function storedKey(dataDir: string): Buffer {
  const path = join(dataDir, FILE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) createOnce(path, randomBytes(KEY_BYTES).toString('hex'));
  return Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
}

/** Appears whole or not at all: of two processes that start at once, one's key stays and both read it. */
function createOnce(path: string, content: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

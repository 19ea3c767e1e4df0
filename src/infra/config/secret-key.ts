import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
const FILE = 'secret.key';
const STORED_KEY = new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}$`, 'i');

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
  const stored = readFileSync(path, 'utf8').trim();
  // Buffer.from would take the hex digits up to the first fault, down to none at all, for the key.
  if (!STORED_KEY.test(stored))
    throw new Error(`${path} is damaged: it must hold ${KEY_BYTES} bytes in hex.`);
  return Buffer.from(stored, 'hex');
}

/** Appears whole or not at all: of two processes that start at once, one's key stays and both read it. */
function createOnce(path: string, content: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClosingRecord } from '../../../domain/audit/audit-record';
import { closingOfLine, lineOf } from './spooled-line';

/** How old a file has to be, milliseconds, whose writing never ended, before its writer is taken for dead. */
const ABANDONED_MS = 60_000;

const WRITING = '.part';
const DAMAGED = '.damaged';
const FILE = /^closings-[^.]+-(\d+)\.ndjson(\.part)?$/;

export type SpoolFile = Readonly<{
  name: string;
  /** Closing records that were written into it. */
  closings: number;
  bytes: number;
}>;

export type SpoolContent = Readonly<{
  closings: readonly ClosingRecord[];
  /** Lines that are cut short or changed. */
  damagedLines: number;
}>;

/**
 * Closing records on disk. A file appears whole, under its last name, or not at all, and is never written again: whichever
 * process of the data folder finds it may write it to the store and remove it.
 */
export class SpoolFolder {
  constructor(
    private readonly path: string,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Makes the folder; rejects if files could not be written, read and removed there. */
  async prepare(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await access(this.path, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  /** Resolves with the file's size when its content and its name are on the disk. */
  async write(closings: readonly ClosingRecord[]): Promise<SpoolFile> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const name = this.nameOf(closings);
    const text = closings.map(lineOf).join('');
    const draft = this.at(`${name}${WRITING}`);
    try {
      await writeFlushed(draft, text);
      await rename(draft, this.at(name));
    } catch (error) {
      // A full disk leaves a part of it.
      await rm(draft, { force: true });
      throw error;
    }
    await this.flushNames();
    return { name, closings: closings.length, bytes: Buffer.byteLength(text) };
  }

  /** Oldest first. Without those that somebody may still be writing. */
  async list(): Promise<readonly SpoolFile[]> {
    const names = await readdir(this.path).catch(nothingIfAbsent);
    const files: SpoolFile[] = [];
    for (const name of names.sort()) {
      const match = FILE.exec(name);
      if (match === null) continue;
      const facts = await stat(this.at(name)).catch(nullIfAbsent);
      if (facts === null) continue;
      const isWritten = match[2] === undefined || this.nowMs() - facts.mtimeMs >= ABANDONED_MS;
      if (isWritten) files.push({ name, closings: Number(match[1]), bytes: facts.size });
    }
    return files;
  }

  /** Null: another process was faster. */
  async read({ name }: SpoolFile): Promise<SpoolContent | null> {
    const text = await readFile(this.at(name), 'utf8').catch(nullIfAbsent);
    if (text === null) return null;
    const lines = text.split('\n');
    const cutShort = lines.pop() !== '' ? 1 : 0;
    const closings = lines.map(closingOfLine).filter((closing) => closing !== null);
    return { closings, damagedLines: lines.length - closings.length + cutShort };
  }

  async remove({ name }: SpoolFile): Promise<void> {
    await rm(this.at(name), { force: true });
  }

  /** Keeps a damaged file for a human; it is not listed any more. Returns its new path. */
  async setAside({ name }: SpoolFile): Promise<string> {
    const aside = this.at(`${name}${DAMAGED}`);
    await rename(this.at(name), aside).catch(nullIfAbsent);
    return aside;
  }

  /** Sorts by time, and no other process has it. */
  private nameOf({ length }: readonly ClosingRecord[]): string {
    const time = String(this.nowMs()).padStart(15, '0');
    return `closings-${time}-${randomBytes(8).toString('hex')}-${length}.ndjson`;
  }

  private at(name: string): string {
    return join(this.path, name);
  }

  private async flushNames(): Promise<void> {
    const folder = await open(this.path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function nothingIfAbsent(error: NodeJS.ErrnoException): string[] {
  nullIfAbsent(error);
  return [];
}

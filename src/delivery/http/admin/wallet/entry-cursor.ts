import { WALLET_ACCOUNTS } from '../../../../domain/wallet/movement';
import type { EntryPosition } from '../../../../usecase/port/wallet-store';

const POSITION = /^(\d{1,15}) (\w+) ([\x21-\x7e]{1,100})$/;

/** Where the next page of a wallet's books begins. Opaque, so that callers don't build cursors of their own. */
export function cursorOfEntry({ atMs, account, movement }: EntryPosition): string {
  return Buffer.from(`${atMs} ${account} ${movement}`, 'utf8').toString('base64url');
}

/** Null: this is no cursor of ours. */
export function entryOfCursor(cursor: string): EntryPosition | null {
  const match = POSITION.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  const [, at, account, movement] = match ?? [];
  const known = WALLET_ACCOUNTS.find((name) => name === account);
  if (known === undefined || movement === undefined) return null;
  const position = { atMs: Number(at), account: known, movement };
  return cursorOfEntry(position) === cursor ? position : null;
}

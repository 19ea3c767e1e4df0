import { WALLET_ACCOUNTS } from '../../../../domain/wallet/movement';
import type { EntryPosition } from '../../../../usecase/port/wallet-store';
import { cursorOf, MOMENT, placeOf } from '../cursor';

const POSITION = new RegExp(String.raw`^${MOMENT} (\w+) ([\x21-\x7e]{1,100})$`);

export function cursorOfEntry({ atMs, account, movement }: EntryPosition): string {
  return cursorOf(atMs, account, movement);
}

/** Null: this is no cursor of ours. */
export function entryOfCursor(cursor: string): EntryPosition | null {
  const [at, account, movement] = placeOf(cursor, POSITION) ?? [];
  const known = WALLET_ACCOUNTS.find((name) => name === account);
  return known === undefined || movement === undefined
    ? null
    : { atMs: Number(at), account: known, movement };
}

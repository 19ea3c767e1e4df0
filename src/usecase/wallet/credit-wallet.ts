import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { Credit } from '../../domain/wallet/movement';
import type { Clock } from '../port/clock';
import type { IdGenerator } from '../port/id-generator';
import type { WalletStore } from '../port/wallet-store';
import { noWallet } from './no-wallet';

export type CreditWalletDeps = Readonly<{
  wallets: Pick<WalletStore, 'credit'>;
  ids: IdGenerator;
  clock: Clock;
}>;

export type NewCredit = Readonly<{
  /** Not zero; negative: a correction, which needs a note. */
  amountMicroUsd: MicroUsd;
  /** The operator's name for it, e.g. an invoice's number: the same one is never booked twice. */
  reference: string;
  note: string | null;
}>;

/** `repeated`: it had been booked before. */
export type BookedCredit = Readonly<{ kind: 'booked' | 'repeated'; credit: Credit }>;

/** Books what a tenant has paid, or a correction of it. */
export class CreditWallet {
  constructor(private readonly deps: CreditWalletDeps) {}

  async execute(tenant: TenantId, wanted: NewCredit): Promise<Result<BookedCredit, GatewayError>> {
    const { wallets, ids, clock } = this.deps;
    if (wanted.amountMicroUsd < 0 && wanted.note === null) return err(CORRECTION_WITHOUT_NOTE);
    const credit: Credit = { id: ids.next('crd'), tenant, atMs: clock.nowMs(), ...wanted };
    const outcome = await wallets.credit(credit);
    switch (outcome.kind) {
      case 'booked':
        return ok({ kind: 'booked', credit });
      case 'known':
        return isSame(outcome.credit, wanted)
          ? ok({ kind: 'repeated', credit: outcome.credit })
          : err(referenceTaken(outcome.credit));
      case 'no_wallet':
        return err(noWallet(tenant));
    }
  }
}

const CORRECTION_WITHOUT_NOTE: GatewayError = {
  code: 'unprocessable',
  problems: [{ field: 'note', message: 'must say why money is taken back' }],
};

function isSame(booked: Credit, wanted: NewCredit): boolean {
  return booked.amountMicroUsd === wanted.amountMicroUsd && booked.note === wanted.note;
}

function referenceTaken({ reference, amountMicroUsd }: Credit): GatewayError {
  const message = `The reference '${reference}' stands for a credit of ${amountMicroUsd} micro-USD with another amount or note. Another credit needs a reference of its own.`;
  return { code: 'conflict', message, param: 'reference' };
}

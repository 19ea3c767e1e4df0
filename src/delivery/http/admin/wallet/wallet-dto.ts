import { IsIn, NotEquals } from 'class-validator';
import type { Payment } from '../../../../usecase/port/wallet-store';
import { NullableField, Text, WholeNumber } from '../field-rules';

/** A million USD: enough for any payment, and thousands of them still add up exactly. */
const MAX_CREDIT = 1_000_000_000_000;

const PAYMENTS: readonly Payment[] = ['wallet', 'none'];

export class WalletDto {
  @IsIn(PAYMENTS)
  payment!: Payment;
}

export class CreditDto {
  @WholeNumber(-MAX_CREDIT, MAX_CREDIT)
  @NotEquals(0)
  amount_micro_usd!: number;

  @Text(200)
  reference!: string;

  @NullableField()
  @Text(1_000)
  note?: string | null;
}

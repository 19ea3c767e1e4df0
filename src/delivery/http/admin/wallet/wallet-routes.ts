import type { CreditWallet } from '../../../../usecase/wallet/credit-wallet';
import type { ReadWallet } from '../../../../usecase/wallet/read-wallet';
import type { SwitchWallet } from '../../../../usecase/wallet/switch-wallet';
import type { AdminRoute } from '../admin-route';
import { listed, param, plain, replied, withBody, withQuery } from '../admin-route';
import { pageOf } from '../page-fields';
import { cursorOfEntry, entryOfCursor } from './entry-cursor';
import { EntryQueryDto } from './entry-query-dto';
import { CreditDto, WalletDto } from './wallet-dto';
import { presentBooks, presentCredit, presentEntry, presentWallet } from './wallet-presenter';

export type WalletUseCases = Readonly<{
  readWallet: ReadWallet;
  switchWallet: SwitchWallet;
  creditWallet: CreditWallet;
}>;

export function walletRoutes(useCases: WalletUseCases): readonly AdminRoute[] {
  return [...readingRoutes(useCases), ...operatorRoutes(useCases)];
}

function readingRoutes({ readWallet }: WalletUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/tenants/{tenant}/wallet',
      scope: 'tenant:admin',
      summary: 'Read what a wallet holds',
      ...plain(async (request) => {
        const tenant = param(request, 'tenant');
        const wallet = await readWallet.one(tenant);
        return wallet.ok ? replied(200, presentWallet(tenant, wallet.value)) : wallet;
      }),
    },
    {
      method: 'get',
      path: '/tenants/{tenant}/wallet/entries',
      scope: 'tenant:admin',
      summary: 'List the entries of a wallet, newest first',
      ...withQuery(EntryQueryDto, async (request, dto) => {
        const page = pageOf(dto, entryOfCursor);
        const { entries, next } = await readWallet.entries(param(request, 'tenant'), page);
        return listed(entries.map(presentEntry), next === null ? null : cursorOfEntry(next));
      }),
    },
    {
      method: 'get',
      path: '/tenants/{tenant}/wallet/verify',
      scope: 'tenant:admin',
      summary: 'Compare a wallet with its entries and with the audit records',
      ...plain(async (request) => {
        const books = await readWallet.verify(param(request, 'tenant'));
        return books.ok ? replied(200, presentBooks(books.value)) : books;
      }),
    },
  ];
}

function operatorRoutes({ switchWallet, creditWallet }: WalletUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'put',
      path: '/tenants/{tenant}/wallet',
      scope: 'operator',
      summary: 'Say whether a tenant pays from its wallet; the first time opens it',
      ...withBody(WalletDto, async (request, { payment }) => {
        const tenant = param(request, 'tenant');
        const wallet = await switchWallet.execute(tenant, payment);
        return wallet.ok ? replied(200, presentWallet(tenant, wallet.value)) : wallet;
      }),
    },
    {
      method: 'post',
      path: '/tenants/{tenant}/wallet/credits',
      scope: 'operator',
      summary: 'Book a payment or a correction, once for each reference',
      ...withBody(
        CreditDto,
        async (request, { amount_micro_usd: amountMicroUsd, reference, note = null }) => {
          const booked = await creditWallet.execute(param(request, 'tenant'), {
            amountMicroUsd,
            reference,
            note,
          });
          if (!booked.ok) return booked;
          return replied(booked.value.kind === 'booked' ? 201 : 200, presentCredit(booked.value.credit));
        },
      ),
    },
  ];
}

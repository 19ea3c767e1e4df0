import { piiError } from '../../../src/domain/resilience/pii-error';
import type { RefusalDetail } from '../../../src/domain/routing/refusal';

const CARD: RefusalDetail = { reason: 'pii_policy', classes: ['payment_card'] };
const EMAIL: RefusalDetail = { reason: 'pii_policy', classes: ['email', 'payment_card'] };
const CONTRACT: RefusalDetail = { reason: 'contract_mismatch', param: 'tools', message: 'no tools' };
const OPEN: RefusalDetail = { reason: 'circuit_open', untilMs: 1 };

describe('error for personal data', () => {
  it.each<[string, readonly RefusalDetail[]]>([
    ['rules alone stand against every route', [CARD]],
    ['what the others lack is what the request asks for', [CONTRACT, CARD]],
  ])('forbids the request where %s', (_name, details) => {
    expect(piiError(details, [])).toMatchObject({ code: 'forbidden', refusals: [] });
  });

  it('names every class once, and no value', () => {
    const error = piiError([CARD, EMAIL], []);

    expect(error).toMatchObject({
      message: expect.stringContaining('(payment_card, email)') as unknown,
    });
  });

  it.each<[string, readonly RefusalDetail[]]>([
    ['no such rule is met', [CONTRACT]],
    ['another route may come back', [CARD, OPEN]],
    ['there is no route at all', []],
  ])('says nothing where %s', (_name, details) => {
    expect(piiError(details, [])).toBeNull();
  });
});

import type { ChatRequest } from '../../../src/domain/chat/chat-request';
import type { PiiRules } from '../../../src/domain/pii/pii-rule';
import { planRoutes } from '../../../src/domain/routing/plan';
import type { Plan } from '../../../src/domain/routing/plan';
import { UNRESTRICTED } from '../../../src/domain/tenant/eligibility';
import { aRequest, aTenant } from '../../support/sample-catalog';
import { CLAUDE, GPT, planInput } from '../../support/sample-plan';
import { aVersion } from '../../support/sample-policy';

const NO_RULE = { classes: {}, restore: null };
const SAYS_CARD: ChatRequest = {
  ...aRequest('gpt-s'),
  body: { model: 'gpt-s', messages: [{ role: 'user', content: '4111111111111111 a@example.com' }] },
};

function planUnder(pii: PiiRules | null, request = SAYS_CARD): Plan {
  const tenant = aTenant({ eligibility: { ...UNRESTRICTED, pii } });
  const policies = [aVersion({ match: ['*'], primary: GPT, fallbacks: [CLAUDE] })];
  const plan = planRoutes(planInput({ request, tenant, policies }));
  if (!plan.ok) throw new Error(plan.error.code);
  return plan.value;
}

const refusedFor = ({ refusals }: Plan) =>
  refusals
    .filter(({ detail }) => detail.reason === 'pii_policy')
    .map(({ route, detail }) => [route.provider, 'classes' in detail ? detail.classes : null]);

describe('pii gate', () => {
  const blocked: PiiRules = {
    default: NO_RULE,
    providers: [
      { provider: CLAUDE.provider, classes: { payment_card: 'block', iban: 'block' }, restore: null },
    ],
  };

  it("refuses a route under its own provider's rule, naming what was found", () => {
    expect(refusedFor(planUnder(blocked))).toEqual([[CLAUDE.provider, ['payment_card']]]);
  });

  it('lets pass what holds nothing that is blocked', () => {
    const plain = { ...SAYS_CARD, body: { messages: [{ role: 'user', content: 'a@example.com' }] } };

    expect(refusedFor(planUnder(blocked, plain))).toEqual([]);
  });

  it('lets pass what is redacted', () => {
    const rules: PiiRules = {
      default: { classes: { payment_card: 'redact' }, restore: null },
      providers: [],
    };

    expect(refusedFor(planUnder(rules))).toEqual([]);
  });

  it('looks for what a planned provider may not get, and for nothing else', () => {
    expect(planUnder(blocked).pii?.findings.counts).toEqual({ payment_card: 1 });
    expect([...(planUnder(blocked).pii?.classes ?? [])]).toEqual(['payment_card', 'iban']);
  });

  it.each<[string, PiiRules | null]>([
    ['there are no rules', null],
    ['all is allowed', { default: { classes: { email: 'allow' }, restore: null }, providers: [] }],
    [
      'only a provider that is not planned has one',
      {
        default: NO_RULE,
        providers: [{ provider: 'elsewhere', classes: { email: 'block' }, restore: null }],
      },
    ],
  ])('looks for nothing where %s', (_name, rules) => {
    expect(planUnder(rules).pii).toBeNull();
  });
});

import { scanRequest } from '../../../src/domain/pii/pii-scan';
import type { PiiRules } from '../../../src/domain/pii/pii-rule';
import { UNRESTRICTED } from '../../../src/domain/tenant/eligibility';
import type { AdmittedChat } from '../../../src/usecase/chat/admitted-chat';
import { Redactions } from '../../../src/usecase/chat/redactions';
import { aRequest, aTenant } from '../../support/sample-catalog';
import { planned } from '../../support/sample-plan';

const BODY = { user: 'a@example.com', metadata: { card: '4111111111111111' } };
const RULES: PiiRules = {
  default: { classes: { email: 'redact' }, restore: true },
  providers: [
    { provider: 'openai', classes: { email: 'allow' }, restore: null },
    { provider: 'mistral', classes: { payment_card: 'redact' }, restore: false },
  ],
};

/** A request whose planner looked for mail addresses only. */
function redactions(rules: PiiRules | null = RULES): Redactions | null {
  const request = { ...aRequest('gpt-s'), body: BODY };
  const tenant = aTenant({ eligibility: { ...UNRESTRICTED, pii: rules } });
  const chat = { request, tenant } as unknown as AdmittedChat;
  return Redactions.of(chat, { ...planned({}), pii: scanRequest(BODY, new Set(['email' as const])) });
}

describe('redactions', () => {
  it('are none where there are no rules', () => {
    expect(redactions(null)).toBeNull();
  });

  it('pass the request itself to a provider that may see it', () => {
    const sendable = redactions()?.for('openai');

    expect(sendable).toMatchObject({ redacted: null, restore: null });
    expect(sendable?.request.body).toBe(BODY);
  });

  it('are made once for each provider', () => {
    const made = redactions();

    expect(made?.for('anthropic')).toBe(made?.for('anthropic'));
    expect(made?.for('anthropic')).toMatchObject({
      request: { body: { user: '[EMAIL_1]' } },
      redacted: { email: 1 },
      restore: { content: 'plain' },
    });
  });

  it('look again for what a rule names and nobody has looked for', () => {
    const made = redactions();
    made?.for('anthropic');

    expect(made?.for('mistral')).toMatchObject({
      request: { body: { user: '[EMAIL_1]', metadata: { card: '[PAYMENT_CARD_1]' } } },
      redacted: { email: 1, payment_card: 1 },
      restore: null,
    });
  });
});

import { readStream } from '../../support/gateway-events';
import { counted } from '../../support/money/grouped';
import type { Aftermath } from '../aftermath';
import { codeOf, type Asked } from '../soak-request';
import { invariant, type Invariant } from './invariant';

/** What a caller may be told, by status. The codes of a provider's own refusal are its own. */
const ALLOWED: Readonly<Record<number, readonly string[] | 'any'>> = {
  400: 'any',
  402: ['insufficient_balance'],
  409: ['idempotency_in_progress'],
  429: ['rate_limit_exceeded'],
  502: ['provider_failed', 'provider_malformed'],
  503: ['audit_unavailable', 'no_eligible_route', 'shutting_down'],
  504: ['provider_timeout'],
};

/** An answer, an error of ours, or nothing because he or his gateway was gone: a caller gets no fourth thing. */
export function endingsAreTold({ run }: Aftermath): Invariant {
  const figures = counted(run.asked.map(nameOf));
  const violations = run.asked.flatMap((asked) => {
    const wrong = wrongWith(asked);
    return wrong === null ? [] : [`${asked.callerId} ${wrong}: ${asked.status} ${asked.text.slice(-300)}`];
  });
  return invariant('callers get answers or structured errors', figures, violations);
}

/** Nothing spliced, nothing of another's. */
export function answersAreWhole({ run }: Aftermath): Invariant {
  const answered = run.asked.filter(({ end }) => end === 'answered');
  const violations = answered.flatMap((asked) => {
    const content = contentOf(asked);
    const expected = ['openai', 'anthropic'].map((provider) => `${provider} answers: ${asked.question.text}`);
    return expected.includes(content) ? [] : [`${asked.callerId} was told '${content}'`];
  });
  return invariant(
    'each answer is the one provider’s to the question',
    { answers: answered.length },
    violations,
  );
}

function nameOf(asked: Asked): string {
  return asked.end === 'refused' ? `${asked.status} ${codeOf(asked)}` : asked.end;
}

function wrongWith(asked: Asked): string | null {
  switch (asked.end) {
    case 'answered':
    case 'left':
    case 'killed':
      return null;
    case 'lost':
      return 'got neither an answer nor an error';
    case 'broken':
      return codeOf(asked)?.startsWith('provider_') === true ? null : 'was broken off by us';
    case 'refused':
      return isExpected(asked) ? null : 'got an error that nobody expects';
  }
}

function isExpected(refused: Asked): boolean {
  const code = codeOf(refused);
  const allowed = ALLOWED[refused.status ?? 0] ?? [];
  return code !== null && (allowed === 'any' || allowed.includes(code));
}

function contentOf({ question, text }: Asked): string {
  if (question.body.stream) return readStream(text).content;
  const { choices } = JSON.parse(text) as { choices: readonly { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

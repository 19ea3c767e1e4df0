import type { ChatRequest } from '../../domain/chat/chat-request';
import type { ProviderId } from '../../domain/kernel/ids';
import { classesTo, restoresAnswers, type PiiRules } from '../../domain/pii/pii-rule';
import { foundAmong, scanCovering, type PiiCounts, type PiiScan } from '../../domain/pii/pii-scan';
import { NO_PLACEHOLDERS, redact, type Placeholders } from '../../domain/pii/redaction';
import { contentNotation } from '../../domain/pii/restoration';
import type { StreamRule } from '../../domain/pii/restored-stream';
import type { Plan } from '../../domain/routing/plan';
import type { AdmittedChat } from './admitted-chat';

/** A request as one provider gets it. */
export type Sendable = Readonly<{
  request: ChatRequest;
  /** What was taken out of it; null: nothing. */
  redacted: PiiCounts | null;
  /** How its placeholders are restored in the answer; null: they stay. */
  restore: StreamRule | null;
}>;

/** What each provider may see of one request. It knows the values that were taken out, so it stays in memory. */
export class Redactions {
  private readonly made = new Map<ProviderId, Sendable>();
  private placeholders: Placeholders = NO_PLACEHOLDERS;

  private constructor(
    private readonly request: ChatRequest,
    private readonly rules: PiiRules,
    private scan: PiiScan,
  ) {}

  /** Null: no rule asks for anything, so every provider gets the request as it is. */
  static of({ request, tenant }: AdmittedChat, { pii }: Plan): Redactions | null {
    const rules = tenant.eligibility.pii;
    return rules == null || pii === null ? null : new Redactions(request, rules, pii);
  }

  /** Under this provider's own rule; the same for every attempt there. */
  for(provider: ProviderId): Sendable {
    const known = this.made.get(provider);
    if (known !== undefined) return known;
    const sendable = this.redacted(provider);
    this.made.set(provider, sendable);
    return sendable;
  }

  private redacted(provider: ProviderId): Sendable {
    const { request, rules } = this;
    const classes = classesTo('redact', rules, provider);
    this.scan = scanCovering(this.scan, request.body, classes);
    if (foundAmong(this.scan, classes).length === 0) return { request, redacted: null, restore: null };
    const redaction = redact(request, this.scan, classes, this.placeholders);
    this.placeholders = redaction.placeholders;
    const content = contentNotation(request.body);
    return {
      request: redaction.request,
      redacted: redaction.counts,
      restore: restoresAnswers(rules, provider) ? { restorable: this.placeholders.valueOf, content } : null,
    };
  }
}

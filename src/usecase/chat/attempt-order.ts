import type { ChatRequest } from '../../domain/chat/chat-request';
import type { AttemptStart } from '../../domain/interaction/attempt';
import type { ServedFacts } from '../../domain/interaction/served-facts';
import type { StreamRule } from '../../domain/pii/restored-stream';
import type { PolicySettings } from '../../domain/routing/policy-settings';
import type { AdmittedChat } from './admitted-chat';

/** Everything that one upstream call needs to know. */
export type AttemptOrder = Readonly<{
  start: AttemptStart;
  chat: AdmittedChat;
  /** The caller's request as this provider may see it. */
  request: ChatRequest;
  /** What was redacted in it and goes back into the answer; null: nothing. */
  restore: StreamRule | null;
  settings: PolicySettings;
  deadlineAtMs: number;
  /** What the answer will say of itself if this attempt serves it. */
  facts: ServedFacts;
  /** Whether ending this attempt now for being slow would lead to another route at once. */
  leadsElsewhere: () => boolean;
}>;

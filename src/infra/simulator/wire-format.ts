import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from './json-value';
import type { PlannedAnswer } from './planned-answer';
import type { Prompt } from './prompt';

export type ProviderWire = 'openai' | 'anthropic';

/** Everything that differs between the two providers. The server around it knows none of their field names. */
export interface WireFormat {
  /** Appended to the origin to make the base URL that an SDK wants. */
  readonly basePath: string;
  readonly chatPath: string;
  readonly modelsPath: string;
  readonly answerIdPrefix: string;
  readonly toolCallIdPrefix: string;
  readonly defaultModels: readonly string[];
  /** Whether a stream begins with what its input costs, so that an error before any output is billed all the same. */
  readonly billsInputFirst: boolean;
  /** A keep-alive as it comes between events. */
  readonly ping: string;
  /** The error that this provider answers when the credential is missing or isn't `apiKey` (undefined: any will do). */
  credentialFault(headers: IncomingHttpHeaders, apiKey: string | undefined): ProviderFault | undefined;
  /** The error that this provider answers to a body it doesn't accept. */
  requestFault(
    body: JsonObject,
    headers: IncomingHttpHeaders,
    rules: RequestRules,
  ): ProviderFault | undefined;
  /** The provider's own error for a status; undefined where a CDN would answer with HTML. */
  statusFault(status: number): ProviderFault | undefined;
  urlFault(method: string, path: string): ProviderFault;
  modelFault(model: string): ProviderFault;
  readPrompt(body: JsonObject): Prompt;
  wholeAnswer(answer: PlannedAnswer, identity: CallIdentity): JsonObject;
  streamFrames(answer: PlannedAnswer, identity: CallIdentity, prompt: Prompt): readonly StreamFrame[];
  modelList(models: readonly string[]): JsonObject;
  errorBody(fault: ProviderFault, identity: CallIdentity): JsonObject;
  errorFrame(error: JsonObject | undefined, identity: CallIdentity): string;
  headers(identity: CallIdentity, status: number): Readonly<Record<string, string>>;
}

/** Names of one call: unique on a server, and the same in every run. */
export type CallIdentity = Readonly<{
  requestId: string;
  answerId: string;
  toolCallPrefix: string;
  startedAtMs: number;
}>;

/** An error answer before it takes the shape of its wire. `code` and `param` exist on the OpenAI wire only. */
export type ProviderFault = Readonly<{
  status: number;
  type: string;
  message: string;
  code?: string;
  param?: string;
}>;

export type RequestRules = Readonly<{ systemTurns: 'allowed' | 'refused' }>;

/** One server-sent event. `output`: it says something; `preamble`: sent before a model was even asked; `framing`: the rest. */
export type StreamFrame = Readonly<{ text: string; role: 'preamble' | 'framing' | 'output'; output: string }>;

export function frame(role: StreamFrame['role'], text: string, output = ''): StreamFrame {
  return { role, text, output };
}

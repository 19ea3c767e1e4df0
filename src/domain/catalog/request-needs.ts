/** What a request asks of an offering; `needsOf` in contract.ts reads it off the request. */
export type RequestNeeds = Readonly<{
  streaming: boolean;
  /** A usage chunk at the end of the stream; absent: no. */
  streamUsage?: boolean;
  tools: boolean;
  forcedToolChoice: boolean;
  jsonSchema: boolean;
  jsonObject: boolean;
  vision: boolean;
  files: boolean;
  /** Audio in the messages. */
  audio: boolean;
  /** Audio in the answer (`modalities`). */
  audioOutput: boolean;
  multipleChoices: boolean;
  logprobs: boolean;
  legacyFunctions: boolean;
  prefill: boolean;
  /** Rough count of the input's tokens (bytes / 4): no tokeniser runs on caller input. */
  estimatedInputTokens: number;
  /** `max_completion_tokens`, else `max_tokens`; null: the caller set none. */
  maxOutputTokens: number | null;
}>;

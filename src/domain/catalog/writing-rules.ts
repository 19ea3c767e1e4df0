/**
 * How a body has to be written for an upstream that speaks a dialect of Chat Completions (WIRE §11, writing rules). A rule
 * that isn't stated changes nothing.
 */
export type WritingRules = Readonly<{
  /** The name under which the upstream knows the output limit; `any`: as the caller wrote it. */
  tokenLimitField: TokenLimitField;
  /** False: the upstream doesn't know the role `developer`, and is sent `system` in its place. */
  developerRole: boolean;
  /** False: the upstream refuses `stream_options`; it has to report usage without being asked. */
  streamOptions: boolean;
  /** True: the upstream refuses fields that Chat Completions doesn't have. */
  strictBody: boolean;
  /** Values of `reasoning_effort` that the upstream knows; empty: it knows no such field; null: any. */
  reasoningEfforts: readonly string[] | null;
}>;

export const TOKEN_LIMIT_FIELDS = ['any', 'max_tokens', 'max_completion_tokens'] as const;
export type TokenLimitField = (typeof TOKEN_LIMIT_FIELDS)[number];

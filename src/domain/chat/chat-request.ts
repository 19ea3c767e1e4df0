import type { RequestNeeds } from '../catalog/request-needs';
import type { JsonObject } from '../kernel/json';

/** A caller's chat completion request. Its shape is Chat Completions, which is also our neutral shape. */
export type ChatRequest = Readonly<{
  /** The model as the caller wrote it: a name, an alias, or whatever a policy matches, such as `auto`. */
  model: string;
  stream: boolean;
  /** Whether the caller asked for a usage chunk (`stream_options.include_usage`). */
  includeUsage: boolean;
  /** The parsed body, unknown fields included. It is passed on by reference and never changed. */
  body: JsonObject;
  needs: RequestNeeds;
}>;

import type { JsonObject } from '../kernel/json';
import type { Usage } from '../interaction/usage';

/** A whole answer in the shape of a `chat.completion`, whichever wire it came over. */
export type ChatAnswer = Readonly<{
  /** The completion, unknown members included; `model` is still what the provider wrote. */
  body: JsonObject;
  /** The provider's own text of `body`, to be relayed byte for byte where nothing has to change; null after a translation. */
  text: string | null;
  finishReason: string;
  usage: Usage;
  /** Characters of content, reasoning, refusal and tool arguments: the basis of an estimate where usage is missing. */
  outputChars: number;
}>;

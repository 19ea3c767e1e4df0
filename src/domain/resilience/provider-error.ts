import type { ErrorObject } from './error-object';

/** The provider's error in OpenAI's shape. */
export type ProviderError = Readonly<{
  message: string;
  type: string | null;
  code: string | null;
  param: string | null;
}>;

/** Rewraps what a provider said. Secrets were redacted when the signal was made (signal.ts). */
export function providerErrorOf(error: ErrorObject, status: number): ProviderError {
  return {
    message: error.message ?? wordlessMessage(status),
    type: error.type,
    code: error.code,
    param: error.param,
  };
}

/** For an answer without a readable error, such as the HTML page of a proxy. */
export function wordlessProviderError(status: number): ProviderError {
  return { message: wordlessMessage(status), type: null, code: null, param: null };
}

function wordlessMessage(status: number): string {
  return `The provider answered with HTTP status ${status} and no message.`;
}

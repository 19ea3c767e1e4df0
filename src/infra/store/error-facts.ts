/**
 * The code and message of whatever was thrown. Read by shape: a native module's errors may come from another realm, where
 * `instanceof Error` doesn't know them.
 */
export type ErrorFacts = Readonly<{ code: string; message: string }>;

export function errorFactsOf(error: unknown): ErrorFacts {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error) };
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : '',
    message: 'message' in error && typeof error.message === 'string' ? error.message : '',
  };
}

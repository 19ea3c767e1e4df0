/** What names of one model differ in: the day or the month of a version, or the word for the newest one. */
const VERSION = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{6}|\d{4}|latest)$/;

/**
 * Whether a model that an answer names is one that was asked for: the same name, or one that differs in its case, the
 * provider's prefix (`openai/…`) or the date of its version only.
 */
export function isServedAs(served: string, names: readonly string[]): boolean {
  const model = bareName(served);
  return names.some((name) => bareName(name) === model);
}

function bareName(name: string): string {
  const model = name.toLowerCase();
  return model.slice(model.lastIndexOf('/') + 1).replace(VERSION, '');
}

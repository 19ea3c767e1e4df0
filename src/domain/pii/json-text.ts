import type { JsonValue } from '../kernel/json';

/** Whether a text is an object or a list in JSON. */
export function isJsonDocument(text: string): boolean {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return false;
  return parsed(text) !== undefined;
}

/** Strings, and numbers of nine digits or more, of a text that is known to be JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]{8,}/gs;

/** The document with its strings (names included) and long numbers edited. Everything else keeps its spelling. */
export function editJsonText(text: string, edit: (token: string | number) => JsonValue): string {
  return text.replaceAll(TOKEN, (token) => {
    const before = token.startsWith('"') ? (JSON.parse(token) as string) : token;
    const after = edit(before);
    return after === before ? token : JSON.stringify(after);
  });
}

/** `JSON.parse` is the only grammar of JSON here; what it refuses is plain text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

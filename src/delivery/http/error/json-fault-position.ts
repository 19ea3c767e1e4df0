type Expected = 'value' | 'first_element' | 'first_member' | 'member' | 'colon' | 'after';

const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/**
 * The offset of the character at which a text stops being JSON; its length when the text ends too early. The engine's own
 * message names it only for some faults, and quotes the text. A loop with a stack of its own, since depth is the caller's choice.
 */
export function jsonFaultPosition(text: string): number {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at = skip(SPACE, text, at) ?? at;
    if (expected === 'after' && open.length === 0) return at;
    const step = read(text, at, expected, open);
    if (step === null) return at;
    [at, expected] = step;
  }
}

type Step = readonly [at: number, expected: Expected] | null;

function read(text: string, at: number, expected: Expected, open: ('[' | '{')[]): Step {
  const character = text[at];
  if (expected === 'after') return readSeparator(character, at, open);
  if (expected === 'colon') return character === ':' ? [at + 1, 'value'] : null;
  if (expected === 'first_element' && character === ']') return close(at, open);
  if (expected === 'first_member' && character === '}') return close(at, open);
  if (expected === 'first_member' || expected === 'member') return readName(text, at);
  return readValue(text, at, open);
}

function readSeparator(character: string | undefined, at: number, open: ('[' | '{')[]): Step {
  const container = open[open.length - 1];
  if (character === ',') return [at + 1, container === '{' ? 'member' : 'value'];
  return character === (container === '{' ? '}' : ']') ? close(at, open) : null;
}

function close(at: number, open: ('[' | '{')[]): Step {
  open.pop();
  return [at + 1, 'after'];
}

function readName(text: string, at: number): Step {
  const end = skip(STRING, text, at);
  return end === null ? null : [end, 'colon'];
}

function readValue(text: string, at: number, open: ('[' | '{')[]): Step {
  const character = text[at];
  if (character === '[' || character === '{') {
    open.push(character);
    return [at + 1, character === '[' ? 'first_element' : 'first_member'];
  }
  const end = skip(STRING, text, at) ?? skip(SCALAR, text, at);
  return end === null ? null : [end, 'after'];
}

function skip(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

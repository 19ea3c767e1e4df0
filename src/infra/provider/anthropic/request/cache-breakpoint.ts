import type { Block, Turn } from './block';

/** Anthropic accepts so many; the last ones cover the longest prefix. */
const MAX_BREAKPOINTS = 4;

type Content = Readonly<{ system: readonly Block[]; turns: readonly Turn[] }>;

/** Keeps the last four cache breakpoints of a request. */
export function lastBreakpoints({ system, turns }: Content): Content {
  const blocks = [...system, ...turns.flatMap((turn) => turn.content)];
  const marked = blocks.filter((block) => block.cache_control !== undefined);
  if (marked.length <= MAX_BREAKPOINTS) return { system, turns };
  const surplus = new Set(marked.slice(0, -MAX_BREAKPOINTS));
  const unmark = (block: Block): Block => (surplus.has(block) ? unmarked(block) : block);
  return {
    system: system.map(unmark),
    turns: turns.map((turn) => ({ role: turn.role, content: turn.content.map(unmark) })),
  };
}

function unmarked(block: Block): Block {
  const { cache_control: _, ...rest } = block;
  return { ...rest, type: block.type };
}

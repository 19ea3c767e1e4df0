import type { Block, Turn } from './block';
import type { Remark } from './exchange';

/** What stands between two turns of the assistant. */
export type Replies = Readonly<{ results: readonly Block[]; remarks: readonly Remark[] }>;

/**
 * The turns for each stretch between two assistant turns, with late system messages where they belong (WIRE §3).
 * A late rule is never moved backwards: it would apply to the past.
 */
export function repliesInTurns(
  stretches: readonly Replies[],
  midConversationSystem: boolean,
): readonly (readonly Turn[])[] {
  return midConversationSystem
    ? withNativeSystem(stretches)
    : stretches.map((replies) => [userTurn(replies)]);
}

/**
 * A native system entry is legal only behind a user turn and before the assistant speaks, so that a stretch has at most
 * one, at its end; a stretch without user content passes its entries on to the next one that has some.
 */
function withNativeSystem(stretches: readonly Replies[]): readonly (readonly Turn[])[] {
  const lastLegal = stretches.findLastIndex(hasUserContent);
  let waiting: readonly Block[] = [];
  return stretches.map((replies, index) => {
    if (index > lastLegal) return [userTurn(replies)];
    waiting = [...waiting, ...blocksOf(replies, 'system')];
    if (!hasUserContent(replies)) return [];
    const system: Turn = { role: 'system', content: waiting };
    waiting = [];
    return [{ role: 'user', content: [...replies.results, ...blocksOf(replies, 'user')] }, system];
  });
}

function hasUserContent({ results, remarks }: Replies): boolean {
  return results.length > 0 || remarks.some((remark) => remark.kind === 'user');
}

function blocksOf({ remarks }: Replies, kind: Remark['kind']): readonly Block[] {
  return remarks.filter((remark) => remark.kind === kind).flatMap((remark) => remark.blocks);
}

/** Results go first; system messages stand at their place as text that can't be taken for the user's. */
function userTurn({ results, remarks }: Replies): Turn {
  const blocks = remarks.flatMap((remark) =>
    remark.kind === 'user' ? remark.blocks : remark.blocks.map(marked),
  );
  return { role: 'user', content: [...results, ...blocks] };
}

function marked(block: Block): Block {
  return { ...block, text: `<system>${block.text as string}</system>` };
}

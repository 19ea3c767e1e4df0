import type { JsonObject } from '../../../../domain/kernel/json';
import { isBlank } from './blank-text';

/** A content block of a Messages turn. */
export type Block = JsonObject & Readonly<{ type: string }>;

export type Role = 'user' | 'assistant' | 'system';

export type Turn = Readonly<{ role: Role; content: readonly Block[] }>;

export function textBlock(text: string): Block {
  return { type: 'text', text };
}

/** Anthropic refuses blank text anywhere but in a prefill, so it is dropped before turns are judged (WIRE §3, repair 2). */
export function withoutBlanks(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter(
    (block) => block.type !== 'text' || typeof block.text !== 'string' || !isBlank(block.text),
  );
}

/** What the provider bills for one call that produced output; a partial answer is billed as far as it was produced. */
export type Charge = Readonly<{
  callIndex: number;
  inputTokens: number;
  outputTokens: number;
  extent: 'complete' | 'partial';
}>;

export type Charges = Readonly<{ calls: readonly Charge[]; inputTokens: number; outputTokens: number }>;

/** The rule of thumb of every token estimate, and exact in this world: four characters are one token. */
export const CHARACTERS_PER_TOKEN = 4;

export function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function totalOf(calls: readonly Charge[]): Charges {
  return {
    calls,
    inputTokens: calls.reduce((sum, charge) => sum + charge.inputTokens, 0),
    outputTokens: calls.reduce((sum, charge) => sum + charge.outputTokens, 0),
  };
}

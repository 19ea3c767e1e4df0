/** Something that has to be true after a run, whatever happened in it; no violations: it is. */
export type Invariant = Readonly<{ name: string; figures: string; violations: readonly string[] }>;

type Figures = Readonly<Record<string, number | string>>;

export function invariant(name: string, figures: Figures, violations: readonly string[]): Invariant {
  const told = Object.entries(figures).map(([what, count]) => `${count} ${what}`);
  return { name, figures: told.join(', '), violations };
}

/** Something that has to be true after a run, whatever happened in it; no violations: it is. */
export type Invariant = Readonly<{ name: string; figures: string; violations: readonly string[] }>;

export type Figures = Readonly<Record<string, number | string>>;

export function invariant(name: string, figures: Figures, violations: readonly string[]): Invariant {
  const told = Object.entries(figures).map(([what, count]) => `${count} ${what}`);
  return { name, figures: told.join(', '), violations };
}

/** How many of each. */
export function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([, one], [, other]) => other - one));
}

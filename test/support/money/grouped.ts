/** The values by what they have in common, each group in their order. */
export function grouped<Value, Key>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

/** How many there are of each, the most frequent first. */
export function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = [...grouped(names, (name) => name)].map(([name, same]) => [name, same.length] as const);
  return Object.fromEntries(counts.sort(([, one], [, other]) => other - one));
}

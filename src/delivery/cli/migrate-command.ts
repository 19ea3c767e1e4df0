import type { CommandOutcome } from './command-outcome';

export const MIGRATE_USAGE = `schneeai migrate

Brings the schema of the store up to date and says what that took. Every start does the same; this is for doing it before,
e.g. once for many replicas. Where several run at once, they follow each other.
`;

export type MigrateCommandDeps = Readonly<{
  /** Which store, without credentials. */
  place: string;
  /** Migrates, and returns the names of what that took. */
  migrate: () => Promise<readonly string[]>;
}>;

export async function migrateCommand(
  args: readonly string[],
  { place, migrate }: MigrateCommandDeps,
): Promise<CommandOutcome> {
  if (args.length > 0) return { exitCode: 2, output: MIGRATE_USAGE };
  const applied = await migrate();
  if (applied.length === 0) return { exitCode: 0, output: `${place} was up to date.\n` };
  const lines = applied.map((name) => `applied ${name}\n`);
  return { exitCode: 0, output: `${lines.join('')}${place} is up to date.\n` };
}

import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

type Given<O extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O }>
>['values'];

/** The options of a command line by name, or what is wrong with them. */
export function givenOptions<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
): Given<O> | string {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // parseArgs has no other way to say that an option is unknown.
    return (error as Error).message;
  }
}

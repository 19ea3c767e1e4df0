export type Environment = Readonly<Record<string, string | undefined>>;

export type NumberRange = Readonly<{ fallback: number; min: number; max: number }>;

/** A map: in an object `constructor` would be a word for yes. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['no', false],
  ['0', false],
]);

/** Reads variables and remembers everything that it could not understand, so that one start names all of it. */
export class EnvironmentReader {
  private readonly found: string[] = [];

  constructor(private readonly environment: Environment) {}

  /** One sentence per variable that says something we can't follow. */
  get problems(): readonly string[] {
    return this.found;
  }

  /** An unset or empty variable means the fallback. */
  text(variable: string, fallback: string): string {
    const value = this.environment[variable]?.trim() ?? '';
    return value === '' ? fallback : value;
  }

  number(variable: string, { fallback, min, max }: NumberRange): number {
    const text = this.text(variable, String(fallback));
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    this.found.push(`${variable} must be a whole number from ${min} to ${max}, not '${text}'.`);
    return fallback;
  }

  flag(variable: string, fallback: boolean): boolean {
    const text = this.text(variable, String(fallback));
    const value = FLAGS.get(text.toLowerCase());
    if (value !== undefined) return value;
    this.found.push(`${variable} must be 'true' or 'false', not '${text}'.`);
    return fallback;
  }

  /** Null where it is unset. What it says is never repeated. */
  secret(variable: string, minLength: number): string | null {
    const value = this.text(variable, '');
    if (value === '') return null;
    if (value.length < minLength) this.found.push(`${variable} must have at least ${minLength} characters.`);
    return value;
  }

  /** Null where it is unset. What it says is never repeated: it may hold a password. `form`: what it has to be, in words. */
  parsed<T>(variable: string, parse: (text: string) => T | null, form: string): T | null {
    const text = this.text(variable, '');
    if (text === '') return null;
    const value = parse(text);
    if (value === null) this.found.push(`${variable} must be ${form}.`);
    return value;
  }

  choice<T extends string>(variable: string, choices: readonly T[], fallback: T): T {
    const text = this.text(variable, fallback);
    const value = choices.find((choice) => choice === text.toLowerCase());
    if (value !== undefined) return value;
    this.found.push(`${variable} must be one of ${choices.join(', ')}, not '${text}'.`);
    return fallback;
  }
}

const sealed = (target: unknown): void => void target;

@sealed // offends: no-restricted-syntax No decorator
export class Offence {}

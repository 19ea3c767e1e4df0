export const offence = (): number => Math.random(); // offends: no-restricted-properties random

export const offence = (a: number, b: number, c: number, d: number, e: number): number => a + b + c + d + e; // offends: max-params

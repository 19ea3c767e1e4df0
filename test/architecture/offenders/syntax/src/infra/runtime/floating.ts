export const offence = (work: () => Promise<void>): void => {
  work(); // offends: @typescript-eslint/no-floating-promises
};

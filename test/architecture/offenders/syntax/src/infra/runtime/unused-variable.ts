export const offence = (): void => {
  const forgotten = 1; // offends: @typescript-eslint/no-unused-vars
};

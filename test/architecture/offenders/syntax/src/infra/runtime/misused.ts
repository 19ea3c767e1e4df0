export const offence = (work: Promise<boolean>): string => {
  if (work) return 'always'; // offends: @typescript-eslint/no-misused-promises
  return 'never';
};

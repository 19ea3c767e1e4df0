export const offence = async (work: Promise<number>): Promise<void> => { // offends: no-restricted-syntax No async
  await work; // offends: no-restricted-syntax No async
};

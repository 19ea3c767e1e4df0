export const offence = (): void => console.log('heard'); // offends: no-console

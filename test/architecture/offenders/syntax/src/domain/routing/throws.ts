export const offence = (): never => {
  throw new Error('thrown'); // offends: no-restricted-syntax No throw
};

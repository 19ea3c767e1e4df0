export const offence = (state: 'open' | 'closed' | 'half-open'): number => {
  switch (state) { // offends: @typescript-eslint/switch-exhaustiveness-check
    case 'open':
      return 1;
    case 'closed':
      return 2;
  }
  return 3;
};

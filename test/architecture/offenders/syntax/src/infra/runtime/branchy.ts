export const offence = (value: number): string => { // offends: complexity
  if (value === 1) return 'row 1';
  if (value === 2) return 'row 2';
  if (value === 3) return 'row 3';
  if (value === 4) return 'row 4';
  if (value === 5) return 'row 5';
  if (value === 6) return 'row 6';
  if (value === 7) return 'row 7';
  if (value === 8) return 'row 8';
  if (value === 9) return 'row 9';
  if (value === 10) return 'row 10';
  return 'none';
};

export const offence = (rows: readonly number[][][]): number => {
  for (const row of rows) {
    for (const cell of row) {
      for (const value of cell) {
        if (value > 0) return value; // offends: max-depth
      }
    }
  }
  return 0;
};

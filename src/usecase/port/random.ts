export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  unit(): number;
}

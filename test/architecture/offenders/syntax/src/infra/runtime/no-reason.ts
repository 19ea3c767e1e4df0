/* eslint-disable-next-line @typescript-eslint/no-explicit-any */ // offends: @eslint-community/eslint-comments/require-description
export type Offence = any;

export type Offence = any; // offends: @typescript-eslint/no-explicit-any

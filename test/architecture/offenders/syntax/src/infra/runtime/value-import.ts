import { Plain } from './inherits'; // offends: @typescript-eslint/consistent-type-imports

export type Offence = Plain;

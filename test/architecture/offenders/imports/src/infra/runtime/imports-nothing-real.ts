// offends: no-unresolvable
import { gone } from './not-there';

export const offence: unknown = gone;

// offends: no-development-package
import fc from 'fast-check';

export const offence = fc;

// offends: usecase-no-package
import type { Logger } from 'pino';

export type Offence = Logger;

// offends: domain-no-package
import type { ULID } from 'ulid';

export type Offence = ULID;

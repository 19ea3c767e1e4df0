// offends: database-in-store-only
import type { Kysely } from 'kysely';

export type Offence = Kysely<never>;

// offends: database-in-store-only
import Database from 'better-sqlite3';

export const offence = Database;

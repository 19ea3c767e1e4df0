// offends: usecase-no-node-module
import { createHash } from 'node:crypto';

export const offence = createHash;

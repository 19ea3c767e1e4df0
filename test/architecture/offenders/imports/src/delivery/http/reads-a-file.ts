// offends: delivery-own-builtins
import { readFile } from 'node:fs/promises';

export const offence = readFile;

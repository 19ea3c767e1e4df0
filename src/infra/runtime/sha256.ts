import { hash } from 'node:crypto';
import type { HashText } from '../../domain/audit/hash-chain';

/** SHA-256 of the text in UTF-8, hex. */
export const sha256: HashText = (text) => hash('sha256', text);

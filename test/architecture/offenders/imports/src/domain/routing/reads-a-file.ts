// offends: domain-no-node-module
import type { PathLike } from 'node:fs';

export type Offence = PathLike;

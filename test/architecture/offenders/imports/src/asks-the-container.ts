// offends: container-for-composition-root-only
import { root } from './container';

export const offence = root;

// offends: main-for-nobody
import { started } from '../main';

export const offence = started;

// offends: delivery-own-packages
import { pino } from 'pino';

export const offence = pino;

// offends: wiring-in-composition-root-only
import { injectable } from 'tsyringe';

export const offence = injectable;

import 'reflect-metadata';
import { root } from './container';

export const started = root;

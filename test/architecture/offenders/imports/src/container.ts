import { container } from 'tsyringe';

export const root = container;

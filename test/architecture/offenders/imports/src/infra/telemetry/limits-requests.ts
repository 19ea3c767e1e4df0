// offends: rate-limiter-in-its-folder-only
import { RateLimiterMemory } from 'rate-limiter-flexible';

export const offence = RateLimiterMemory;

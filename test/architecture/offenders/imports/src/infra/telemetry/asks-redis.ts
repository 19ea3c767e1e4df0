// offends: redis-in-its-folder-only
import Redis from 'ioredis';

export const offence = Redis;

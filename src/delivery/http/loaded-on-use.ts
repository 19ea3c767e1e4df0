import type { RequestHandler } from 'express';

/**
 * A handler that is loaded for the first request it gets: what validates and describes the admin API takes a tenth of a second
 * and memory, and an answer to an app needs neither (ADR 22).
 */
export function loadedOnUse(load: () => Promise<RequestHandler>): RequestHandler {
  let loading: Promise<RequestHandler> | null = null;
  return async (req, res, next) => {
    loading ??= load();
    const handler = await loading;
    await handler(req, res, next);
  };
}

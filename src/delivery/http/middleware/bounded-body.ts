import type { RequestHandler } from 'express';
import { sendError } from '../error/send-error';

export type BodyBounds = Readonly<{
  /** Levels of objects and arrays within each other. */
  maxDepth: number;
  maxArrayLength: number;
}>;

/** Refuses a parsed body that is nested too deeply or holds too long an array: later stages recurse over it. */
export function boundedBody(bounds: BodyBounds): RequestHandler {
  return (req, res, next) => {
    const message = exceededBound(req.body, bounds);
    if (message === null) return next();
    sendError(res, { code: 'invalid_request_error', reason: 'invalid_value', param: null, message });
  };
}

/** What exceeds the bounds, in words; null: nothing does. A loop, since the depth is what is in question. */
export function exceededBound(body: unknown, { maxDepth, maxArrayLength }: BodyBounds): string | null {
  let level: object[] = isContainer(body) ? [body] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return `The body is nested more than ${maxDepth} levels deep.`;
    if (level.some((value) => Array.isArray(value) && value.length > maxArrayLength)) {
      return `The body has an array of more than ${maxArrayLength} elements.`;
    }
    level = childrenOf(level);
  }
  return null;
}

/** Without a list per object in between: every chat request passes here. */
function childrenOf(level: readonly object[]): object[] {
  const children: object[] = [];
  for (const parent of level) {
    for (const child of Object.values(parent)) if (isContainer(child)) children.push(child);
  }
  return children;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

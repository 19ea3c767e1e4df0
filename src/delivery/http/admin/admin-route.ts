import type { GatewayError } from '../../../domain/error/gateway-error';
import type { JsonObject } from '../../../domain/kernel/json';
import type { Result } from '../../../domain/kernel/result';
import { ok } from '../../../domain/kernel/result';
import type { ApiKey, Scope } from '../../../domain/tenant/api-key';
import type { DtoClass } from '../middleware/validated-body';
import { validatedBody } from '../middleware/validated-body';

/** One row of the route table: what the router mounts, the OpenAPI document describes, and the isolation test walks. */
export type AdminRoute = Readonly<{
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/admin/v1`, with parameters such as `{tenant}`. */
  path: string;
  scope: Scope;
  summary: string;
  body: DtoClass<object> | null;
  query: DtoClass<object> | null;
  handle: (request: AdminRequest) => Promise<AdminResult>;
}>;

export type AdminRequest = Readonly<{
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
  caller: ApiKey;
  /** Raw header values. */
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}>;

export type AdminReply = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Null: no content. */
  body: JsonObject | null;
  /** In place of a body: text that is made while it is sent. */
  text?: AsyncIterable<string>;
}>;

export type AdminResult = Result<AdminReply, GatewayError>;

type Handling = Pick<AdminRoute, 'body' | 'query' | 'handle'>;

/** Handles a request that takes neither a body nor a query. */
export function plain(handle: AdminRoute['handle']): Handling {
  return { body: null, query: null, handle };
}

/** Handles a request by its validated body. */
export function withBody<B extends object>(
  dto: DtoClass<B>,
  handle: (request: AdminRequest, body: B) => Promise<AdminResult>,
): Handling {
  return {
    body: dto,
    query: null,
    handle: async (request) => {
      const body = validatedBody(dto, request.body);
      return body.ok ? handle(request, body.value) : body;
    },
  };
}

/** Handles a request by its validated query. */
export function withQuery<Q extends object>(
  dto: DtoClass<Q>,
  handle: (request: AdminRequest, query: Q) => Promise<AdminResult>,
): Handling {
  return {
    body: null,
    query: dto,
    handle: async (request) => {
      const query = validatedBody(dto, request.query);
      return query.ok ? handle(request, query.value) : query;
    },
  };
}

/** A parameter of the route's own path; asking for another is a defect. */
export function param(request: AdminRequest, name: string): string {
  const value = request.params[name];
  if (value === undefined) throw new Error(`The path of this route has no parameter '${name}'`);
  return value;
}

export function replied(
  status: number,
  body: JsonObject | null,
  headers: Record<string, string> = {},
): AdminResult {
  return ok({ status, headers, body });
}

/** An answer that is too long to be held in memory. */
export function streamed(text: AsyncIterable<string>, headers: Record<string, string>): AdminResult {
  return ok({ status: 200, headers, body: null, text });
}

/** The envelope of every list. Lists that are read from memory are whole, so they have no next page. */
export function listed(data: readonly JsonObject[], nextCursor: string | null = null): AdminResult {
  return replied(200, { data, next_cursor: nextCursor });
}

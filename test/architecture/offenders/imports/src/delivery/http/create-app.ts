import http from 'node:http';
import type { Request } from 'express';
import { queryAudit } from '../../usecase/audit/query-audit';

export const createApp = (request: Request): unknown => [http, request, queryAudit];

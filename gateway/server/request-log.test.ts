import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { RequestLog } from './request-log.ts';

/** What is logged, at any level, for a request with this answer. */
function linesOf(originalUrl: string, statusCode: number): { level: number; path: string }[] {
  const lines: { level: number; path: string }[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line) => lines.push(JSON.parse(line) as (typeof lines)[0]) },
  );
  const context = { requestId: 'req_1', startedAtMs: 0 };
  const request = { method: 'GET', originalUrl, context } as unknown as Request;
  const response = Object.assign(new EventEmitter(), { statusCode, writableFinished: true });
  new RequestLog(log, () => 1).middleware(request, response as unknown as Response, () => {});
  response.emit('close');
  return lines.map(({ level, path }) => ({ level, path }));
}

const { debug, info } = pino.levels.values;

test('a successful health check is logged at debug level, a failed one at info level like other requests', () => {
  expect(linesOf('/api/health', 200)).toEqual([{ level: debug, path: '/api/health' }]);
  expect(linesOf('/api/health?x=1', 503)).toEqual([{ level: info, path: '/api/health' }]);
  expect(linesOf('/api/v1/models', 200)).toEqual([{ level: info, path: '/api/v1/models' }]);
});

import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { RequestLog } from './request-log.ts';

interface Line {
  level: number;
  path: string;
}

/** A log of requests at any level, and what is written to it. */
function listening() {
  const lines: Line[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line) as Line) });
  const [nowMs, newId] = [() => 1, () => 'req_1'];
  return { lines, requestLog: new RequestLog(log, nowMs, newId, { count: () => {} }) };
}

/** What is logged for a request with this response. */
function linesOf(originalUrl: string, statusCode: number): Line[] {
  const { lines, requestLog } = listening();
  const context = { requestId: 'req_1', startedAtMs: 0 };
  const request = { method: 'GET', originalUrl, context } as unknown as Request;
  const response = Object.assign(new EventEmitter(), {
    statusCode,
    writableFinished: true,
    getHeader: () => 'application/json',
  });
  requestLog.middleware(request, response as unknown as Response, () => {});
  response.emit('close');
  return lines.map(({ level, path }) => ({ level, path }));
}

const { debug, info } = pino.levels.values;

test('a successful health check is logged at debug level, a failed one at info level like other requests', () => {
  expect(linesOf('/api/health', 200)).toEqual([{ level: debug, path: '/api/health' }]);
  expect(linesOf('/api/health?x=1', 503)).toEqual([{ level: info, path: '/api/health' }]);
  expect(linesOf('/api/v1/models', 200)).toEqual([{ level: info, path: '/api/v1/models' }]);
});

const LONG = `/${'x'.repeat(15_000)}`;

test('of a path of 15 KB, the log has the start', () => {
  const [line] = linesOf(`${LONG}?secret=1`, 404);
  expect(line!.path).toBe(`${LONG.slice(0, 300)}…`);
});

test('of a path of 15 KB that is refused before it reaches the application, the log has the start', () => {
  const { lines, requestLog } = listening();
  requestLog.logRefusal({ method: 'GET', url: `${LONG}?secret=1`, status: 429, code: 'rate_limited' });
  expect(lines.map(({ path }) => path)).toEqual([`${LONG.slice(0, 300)}…`]);
});

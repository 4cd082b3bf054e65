import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { RequestLog, SAMPLED_LINES } from './request-log.ts';

interface Line {
  level: number;
  path: string;
}

/** A log of any level, and what is written to it. */
function listening() {
  const lines: Line[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line) as Line) });
  return { lines, log };
}

/** What is logged for a request with this response. */
function linesOf(originalUrl: string, statusCode: number): Line[] {
  const { lines, log } = listening();
  const context = { requestId: 'req_1', startedAtMs: 0 };
  const request = { method: 'GET', originalUrl, context } as unknown as Request;
  const response = Object.assign(new EventEmitter(), {
    statusCode,
    writableFinished: true,
    getHeader: () => 'application/json',
  });
  new RequestLog(
    log,
    () => 1,
    () => 'req_1',
    { count: () => {} },
  ).middleware(request, response as unknown as Response, () => {});
  response.emit('close');
  return lines.map(({ level, path }) => ({ level, path }));
}

const { debug, info } = pino.levels.values;

test('of many refusals of one kind, the first get lines of their own, and all others the id of one line that counts them', () => {
  const { lines, log } = listening();
  let made = 0;
  const requestLog = new RequestLog(
    log,
    () => 1,
    () => `req_${++made}`,
    { count: () => {} },
  );
  const refusal = { method: 'GET', url: '/x', status: 401, code: 'invalid_api_key' } as const;
  const ids = Array.from({ length: SAMPLED_LINES + 5 }, () => requestLog.logRefusal(refusal));
  const shared = `req_${SAMPLED_LINES + 1}`;
  expect(new Set(ids.slice(0, SAMPLED_LINES)).size).toBe(SAMPLED_LINES);
  expect(ids.slice(SAMPLED_LINES)).toEqual(Array(5).fill(shared));
  const kind = { request_id: shared, status: 401, code: 'invalid_api_key' };
  expect(lines).toHaveLength(SAMPLED_LINES + 1);
  expect(lines.at(-1)).toMatchObject({ ...kind, msg: 'further requests get this id' });
  requestLog.flush();
  expect(lines.slice(SAMPLED_LINES + 1)).toMatchObject([
    { ...kind, msg: 'requests refused and not logged', count: 5 },
  ]);
  expect(requestLog.logRefusal(refusal)).not.toBe(shared);
});

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
  const { lines, log } = listening();
  new RequestLog(
    log,
    () => 1,
    () => 'req_1',
    { count: () => {} },
  ).logRefusal({
    method: 'GET',
    url: `${LONG}?secret=1`,
    status: 429,
    code: 'rate_limited',
  });
  expect(lines.map(({ path }) => path)).toEqual([`${LONG.slice(0, 300)}…`]);
});

import type { Request } from 'express';
import { expect, test } from 'vitest';
import { sentInput } from './errors.ts';

const request = {
  query: Object.assign(Object.create(null) as object, { limit: '0', tickers: ['A', 'B'] }),
  headers: { 'x-end-user': 'a@b', authorization: 'Bearer sar_secret', 'x-api-key': 'sar_secret' },
  body: { tickers: ['BBCA', ' '], params: { lookback: '7', positions: [{ ticker: 5 }] } },
} as unknown as Request;

test.each([
  [['query', 'limit'], '0'],
  [
    ['query', 'tickers'],
    ['A', 'B'],
  ],
  [['header', 'X-End-User'], 'a@b'],
  [['body', 'tickers', 1], ' '],
  [['body', 'params', 'lookback'], '7'],
  [['body', 'params', 'positions', 0, 'ticker'], 5],
])('the input at %j is reported as it was sent: %j', (loc, sent) => {
  expect(sentInput(request, loc)).toEqual(sent);
});

test.each([
  ['query', 'days'],
  ['body', 'days'],
  ['body', 'tickers', 2],
  ['body', 'params', 'positions', 0, 'pnl'],
  ['body'],
  ['path', 'ticker'],
  [],
  ['body', 'constructor'],
  ['body', 'tickers', 'length', 'x'],
  ['header', 'Authorization'],
  ['header', 'X-API-Key'],
])('no input is reported at %j', (...loc) => {
  expect(sentInput(request, loc)).toBeUndefined();
});

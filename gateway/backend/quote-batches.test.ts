import { expect, test } from 'vitest';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { QuoteBatches } from './quote-batches.ts';

const call = { requestId: 'req_test' };
const tickers = (from: number, count: number) => Array.from({ length: count }, (_, i) => `T${from + i}`);

function counted() {
  const calls: string[][] = [];
  const quotes = new QuoteBatches(async (wanted) => {
    calls.push(wanted);
    if (wanted.length > 50) throw new ServiceError('too_many_tickers', 'At most 50 tickers.');
    const known = wanted.flatMap((ticker) => (ticker === 'UNIVERSE:LQ45' ? ['T2', 'MEMBER'] : [ticker]));
    const quote = { close: 1, change_pct: 0, date: '2024-06-28' };
    return {
      quotes: Object.fromEntries(
        known.filter((ticker) => /^[TM]/.test(ticker)).map((ticker) => [ticker, quote]),
      ),
      dataset_version: 'v',
      adjusted: true,
      adjusted_to: '2024-06-28',
    };
  });
  return { quotes, calls };
}

test('requests in one turn of the event loop share a call, and each gets only its own tickers', async () => {
  const { quotes, calls } = counted();
  const responses = await Promise.all([
    quotes.get(['T1', 'T2'], call),
    quotes.get(['T2', 'UNKNOWN', '__proto__'], call),
  ]);
  expect(calls).toEqual([['T1', 'T2', 'UNKNOWN', '__proto__']]);
  expect(responses.map((response) => Object.keys(response.quotes))).toEqual([['T1', 'T2'], ['T2']]);
});

test('a request that names a universe goes alone, and gets every quote of its answer', async () => {
  const { quotes, calls } = counted();
  const [, universe] = await Promise.all([
    quotes.get(['T1'], call),
    quotes.get(['UNIVERSE:LQ45', 'T2'], call),
    quotes.get(['T3'], call),
  ]);
  expect(calls.toSorted()).toEqual([
    ['T1', 'T3'],
    ['UNIVERSE:LQ45', 'T2'],
  ]);
  expect(Object.keys(universe.quotes)).toEqual(['T2', 'MEMBER']);
});

test('a request in a later turn makes a new call', async () => {
  const { quotes, calls } = counted();
  await quotes.get(['T1'], call);
  await quotes.get(['T1'], call);
  expect(calls).toHaveLength(2);
});

test('sharing never puts more than fifty tickers in a call, and only a request for more is refused', async () => {
  const { quotes, calls } = counted();
  const [forty, twenty, sixty, one] = await Promise.allSettled([
    quotes.get(tickers(0, 40), call),
    quotes.get(tickers(40, 20), call),
    quotes.get(tickers(100, 60), call),
    quotes.get(['T1'], call),
  ]);
  expect([forty, twenty, sixty, one].map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(calls.map(({ length }) => length)).toEqual([40, 20, 60, 1]);
});

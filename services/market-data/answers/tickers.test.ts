import { expect, test } from 'vitest';
import { foldTickers } from './tickers.ts';

test('tickers are folded without regard to case and blanks, in the order of their first mention', () => {
  expect(foldTickers(['bbca', 'TLKM', ' BBCA ', 'tlkm', 'asii'], 3)).toEqual(['BBCA', 'TLKM', 'ASII']);
});

test('the limit counts what is left after folding', () => {
  expect(foldTickers(['a', 'A', 'b'], 2)).toEqual(['A', 'B']);
  expect(() => foldTickers(['a', 'b', 'c'], 2)).toThrow(
    expect.objectContaining({
      code: 'too_many_tickers',
      detail: [expect.objectContaining({ loc: ['tickers'], ctx: { max_length: 2, actual_length: 3 } })],
    }),
  );
});

test.each([
  [[], ['tickers']],
  [
    ['A', ''],
    ['tickers', 1],
  ],
])('%j is invalid_request and names the place', (tickers, loc) => {
  expect(() => foldTickers(tickers, 50)).toThrow(
    expect.objectContaining({ code: 'invalid_request', detail: [expect.objectContaining({ loc })] }),
  );
});

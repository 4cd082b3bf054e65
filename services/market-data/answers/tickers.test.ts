import { expect, test } from 'vitest';
import { foldTickers } from './tickers.ts';

test('tickers are folded without regard to case and blanks, in the order of their first mention', () => {
  expect(foldTickers(['bbca', 'TLKM', ' BBCA ', 'tlkm', 'asii'])).toEqual(['BBCA', 'TLKM', 'ASII']);
});

test('a blank ticker is invalid_request and names the place', () => {
  expect(() => foldTickers(['A', '  '])).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      detail: [expect.objectContaining({ loc: ['tickers', 1] })],
    }),
  );
});

import { expect, test } from 'vitest';
import { foldTickers } from './tickers.ts';

test('tickers are trimmed, upper-cased and deduplicated in order of first mention', () => {
  expect(foldTickers(['bbca', 'TLKM', ' BBCA ', 'tlkm', 'asii'])).toEqual(['BBCA', 'TLKM', 'ASII']);
});

test('a blank ticker is invalid_request, and the error names its position', () => {
  expect(() => foldTickers(['A', '  '])).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      detail: [expect.objectContaining({ loc: ['tickers', 1] })],
    }),
  );
});

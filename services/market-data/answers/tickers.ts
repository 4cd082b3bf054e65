import { ServiceError } from '#shared/service-error.ts';

/** Ticker codes are accepted in any case. */
export function normalized(ticker: string): string {
  return ticker.trim().toUpperCase();
}

/**
 * The tickers of a request in upper case, each once, in the order of their first mention.
 * @throws ServiceError invalid_request for none or an empty one, too_many_tickers above the limit
 */
export function foldTickers(tickers: string[], limit: number): string[] {
  const folded = [...new Set(tickers.map(normalized))];
  if (folded.length === 0 || folded.includes('')) {
    const msg = folded.length === 0 ? 'must name at least one ticker' : 'must not be empty';
    const loc = folded.length === 0 ? ['tickers'] : ['tickers', tickers.map(normalized).indexOf('')];
    throw new ServiceError('invalid_request', `tickers: ${msg}`, {
      detail: [{ loc, msg, type: folded.length === 0 ? 'too_short' : 'string_too_short' }],
    });
  }
  if (folded.length <= limit) return folded;
  throw new ServiceError('too_many_tickers', `At most ${limit} tickers a call, got ${folded.length}.`, {
    detail: [
      {
        loc: ['tickers'],
        msg: `must name at most ${limit} tickers`,
        type: 'too_long',
        ctx: { max_length: limit, actual_length: folded.length },
      },
    ],
  });
}

import type { Panel } from '#quant/panel/panel.ts';
import { invalidRequest } from '#shared/invalid-request.ts';
import { ServiceError } from '#shared/service-error.ts';

/** Ticker codes are accepted in any case. */
export function normalized(ticker: string): string {
  return ticker.trim().toUpperCase();
}

/**
 * A ticker of a request in upper case, and its index in the panel.
 * @throws ServiceError not_found when the dataset does not have it
 */
export function requireTicker(panel: Panel, wanted: string): { ticker: string; index: number } {
  const ticker = normalized(wanted);
  const index = panel.tickerIndex(ticker);
  if (index < 0) throw new ServiceError('not_found', `There is no data for the ticker ${ticker}.`);
  return { ticker, index };
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
    throw invalidRequest([{ loc, msg, type: folded.length === 0 ? 'too_short' : 'string_too_short' }]);
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

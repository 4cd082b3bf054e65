import type { NewName } from '#quant/panel/panel-columns.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { codeOf, distinctCodes } from '#foundation/text/codes.ts';

/**
 * A requested ticker in upper case, and its index in the panel.
 * @throws ServiceError not_found when the dataset does not have it; for the old name of a stock, it says the new one
 */
export function requireTicker(panel: Panel, wanted: string): { ticker: string; index: number } {
  const ticker = codeOf(wanted);
  const index = panel.tickerIndex(ticker);
  if (index >= 0) return { ticker, index };
  const renamed = panel.columns.renamed;
  throw renamed && Object.hasOwn(renamed, ticker)
    ? hasNewName(ticker, renamed[ticker]!)
    : new ServiceError('not_found', `There is no data for the ticker ${ticker}.${suffixHint([ticker])}`);
}

/** Other services name stocks of this exchange by a suffix, as Yahoo does. Empty unless one of the tickers has it. */
function suffixHint(tickers: string[]): string {
  const foreign = tickers.find((ticker) => /.\.JK$/.test(ticker));
  if (foreign === undefined) return '';
  return ` Tickers are written without “.JK”, such as ${foreign.replace(/\.JK$/, '')} for ${foreign}.`;
}

function hasNewName(ticker: string, { ticker: new_ticker, since }: NewName): ServiceError {
  const msg = `has been called ${new_ticker} since ${since}`;
  return new ServiceError('not_found', `${ticker} ${msg}, with its whole history.`, {
    detail: [
      { loc: ['path', 'ticker'], msg, type: 'value_error', input: ticker, ctx: { new_ticker, since } },
    ],
  });
}

/**
 * Splits normalised tickers into those that the dataset has and those that it does not have.
 * @throws ServiceError not_found when it has none of them
 */
export function knownTickers(panel: Panel, tickers: string[]): { known: string[]; missing: string[] } {
  const isKnown = (ticker: string) => panel.tickerIndex(ticker) >= 0;
  const known = tickers.filter(isKnown);
  if (tickers.length === 0) throw new ServiceError('not_found', 'The named universes have no members.');
  if (known.length === 0)
    throw new ServiceError('not_found', `There is no data for any of these tickers.${suffixHint(tickers)}`);
  return { known, missing: tickers.filter((ticker) => !isKnown(ticker)) };
}

/**
 * The requested tickers in upper case without duplicates, in the order of their first mention.
 * @throws ServiceError invalid_request for a blank one
 */
export function foldTickers(tickers: string[]): string[] {
  const blank = tickers.findIndex((ticker) => codeOf(ticker) === '');
  if (blank >= 0)
    throw invalidRequest([
      {
        loc: ['tickers', blank],
        msg: 'must not be empty',
        type: 'string_too_short',
        input: tickers[blank],
      },
    ]);
  return distinctCodes(tickers);
}

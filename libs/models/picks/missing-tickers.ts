import type { Panel } from '#quant/panel/panel.ts';
import type { Requested } from '../inputs/parameters.ts';

/** The member of a result that lists requested tickers of which the data has no stock; none if the run names no tickers. */
export function missingOf(panel: Panel, { tickers }: Requested): { missing?: string[] } {
  return tickers ? { missing: tickers.filter((code) => panel.tickerIndex(code) < 0) } : {};
}

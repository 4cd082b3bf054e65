import { panelOf } from '#quant/panel/panel-fixture.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { PositionInput } from './params.ts';

/** An invented market, and positions in it. */

export const AS_OF = '2026-08-28';
export const bars = syntheticBars({ seed: 11, tickers: 100, days: 440 });
export const panel = panelOf(bars);
export const day = panel.dayOnOrBefore(AS_OF);
const { columns } = screenInput({ panel, params: {} }).features();
const { tickers } = panel.columns;

/** All names of the analysed day. */
export const known = Array.from(
  columns.ticker.subarray(columns.dayStarts[day], columns.dayStarts[day + 1]),
  (ticker) => tickers[ticker]!,
);
const PNL = [-35, -8, -1, 0, 3, 60];
export const positions: PositionInput[] = known
  .slice(0, 24)
  .map((ticker, i) => ({ ticker, pnl_input: PNL[i % PNL.length]! }));
export const params = { analysis_date: AS_OF, positions };

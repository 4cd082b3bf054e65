import type { ListBarsResponse, Trading } from '#proto/saring/market_data/v1/bars.ts';
import type { BarAdjustment } from '#proto/saring/wire/v1/words.ts';
import { reinvestment } from '#quant/performance/holding-return.ts';
import { panelKnownOn } from '#quant/panel/known-panel.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { tradesOf } from '#quant/panel/windows.ts';
import { invalidCursor } from '#platform/paging/cursor.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { adjustment, adjustedTo, known, rounded } from '../responses/adjustment.ts';

/** Factors by which the prices and share counts of a row are multiplied. */
interface RowScales {
  priceScale: (row: number) => number;
  shareScale: (row: number) => number;
}

const UNADJUSTED: RowScales = { priceScale: () => 1, shareScale: () => 1 };

export interface BarScales {
  /** Day to whose terms adjusted bars are restated, YYYY-MM-DD. */
  asOfDate: string;
  /** Whether there are scales for the rows of a stock (index). */
  areOf: (index: number) => boolean;
  /** The scales of the rows of a stock (index). */
  of: (index: number) => RowScales;
  /** How a response states them. */
  stated: Pick<ListBarsResponse, 'adjusted' | 'adjusted_to' | 'reinvests_dividends'>;
}

/**
 * How the bars of a list are adjusted.
 * @param asOfDate the day of the first page; the last day of the dataset by default
 * @throws ServiceError invalid_cursor if another dataset, without that day, is served by now; not_found for total returns if the
 *   table has no dividends, since equal to the price they would claim that nothing was paid
 */
export function barScales(
  { dataset, panel, actions }: LoadedDataset,
  adjustedAs: BarAdjustment,
  asOfDate?: string,
): BarScales {
  const { dates } = panel.columns;
  const day = asOfDate === undefined ? adjustedTo(panel) : panel.dayOnOrBefore(asOfDate);
  if (asOfDate !== undefined && dates[day] !== asOfDate) throw invalidCursor();
  const [adjusted, reinvests] = [adjustedAs !== 'false', adjustedAs === 'total'];
  if (reinvests && !actions.hasDividends)
    throw new ServiceError(
      'not_found',
      `The table of corporate actions of ${dataset.version} has no dividends, so total returns are not known.`,
    );
  // Later pages stay with what was known on the day of the first one.
  const known = panelKnownOn(panel, day);
  return {
    asOfDate: dates[day]!,
    areOf: (index) => !adjusted || panel.lastRow(index, day) >= 0,
    of: (index) => {
      if (!adjusted) return UNADJUSTED;
      const scales = adjustment(known, index, day);
      if (!reinvests) return scales;
      return withDividends(scales, known, known.lastRow(index, day), actions.dividendsOf(index, day));
    },
    stated: { adjusted, adjusted_to: adjusted ? dates[day]! : undefined, reinvests_dividends: reinvests },
  };
}

/** Scales by which prices of a stock change, from any row to the row whose terms they are in, by its total return. */
function withDividends(
  { priceScale, shareScale }: RowScales,
  panel: Panel,
  asOfRow: number,
  dividends: ReadonlyMap<number, number>,
): RowScales {
  return {
    shareScale,
    priceScale: (row) =>
      (priceScale(row) * reinvestment(panel, asOfRow, row, dividends)) /
      reinvestment(panel, row, asOfRow, dividends),
  };
}

/**
 * The trading of a stock in the rows from `first` to before `end`, of which there is at least one. A row without volume repeats an
 * older close, which is not a price of its day, so it counts only towards the sums.
 */
export function tradingOf(
  panel: Panel,
  first: number,
  end: number,
  { priceScale, shareScale }: RowScales,
): Trading & { traded_days: number } {
  const { open, high, low, close, previous, volume, value } = panel.columns;
  const prices = { open: 0, high: -Infinity, low: Infinity, close: 0 };
  const sums = { traded_days: 0, volume: 0, value: 0, frequency: 0 };
  for (let row = first; row < end; row++) {
    if (volume[row] === 0) continue;
    const scale = priceScale(row);
    if (sums.traded_days++ === 0) prices.open = open[row]! * scale;
    prices.high = Math.max(prices.high, high[row]! * scale);
    prices.low = Math.min(prices.low, low[row]! * scale);
    prices.close = close[row]! * scale;
    sums.volume += volume[row]! * shareScale(row);
    sums.value += value[row]!;
    sums.frequency += tradesOf(panel, row);
  }
  const hasTraded = sums.traded_days > 0;
  return {
    open: hasTraded ? rounded(prices.open) : undefined,
    high: hasTraded ? rounded(prices.high) : undefined,
    low: hasTraded ? rounded(prices.low) : undefined,
    close: hasTraded ? rounded(prices.close) : undefined,
    ...sums,
    volume: Math.round(sums.volume),
    frequency: known(sums.frequency),
    reference_price: previous[first]! > 0 ? rounded(previous[first]! * priceScale(first)) : undefined,
  };
}

import { sma } from '../indicators/moving-averages.ts';
import { relativeMove } from '../price-move.ts';
import type { Panel } from '../panel/panel.ts';
import { unknownShares } from '../panel/unknown-shares.ts';
import { cumFactorAt } from '../panel/adjustment-factors.ts';
import { LIQUID_VALUE_IDR, TrailingValue, tradedRows } from '../universe/liquidity.ts';

/** What the liquid stocks did on each exchange day. Every array has one entry for each calendar day. */
export interface MarketDays {
  /** Number of liquid stocks that traded and have a moving average of 20 (50) bars. */
  withMa20: Uint16Array;
  withMa50: Uint16Array;
  /** Number of those that closed above it. */
  aboveMa20: Uint16Array;
  aboveMa50: Uint16Array;
  /** Return of the market index since the day before, as a fraction; 0 on a day without members. */
  indexReturn: Float64Array;
}

/**
 * The market on every day, each computed only from rows up to that day.
 *
 * A stock counts on a day when it traded and its average daily value of the last 20 exchange days is at least 1 billion IDR.
 * Moving averages run over its traded bars.
 *
 * The index stands in for the exchange's composite (IHSG), which the data does not contain. Like the composite, it weights by
 * capitalisation, but not by free float, which the data does not contain either. A day's return is the mean return of the
 * stocks that traded, each weighted by listed shares × close of its row before. Shares that no source says of that row are those of
 * the last row of which one does, restated for splits; a stock without any is left out. Membership depends on the average value up to
 * the day **before**: using the day's own value would admit stocks that only a surge made liquid, with the return of that
 * surge.
 */
export function marketDays(panel: Panel): MarketDays {
  const gathering = new Gathering(panel);
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) gathering.add(ticker);
  return gathering.finish();
}

class Gathering {
  readonly #panel: Panel;
  readonly #days: MarketDays;
  readonly #weight: Float64Array;

  constructor(panel: Panel) {
    const { dayCount } = panel;
    this.#panel = panel;
    this.#weight = new Float64Array(dayCount);
    this.#days = {
      withMa20: new Uint16Array(dayCount),
      withMa50: new Uint16Array(dayCount),
      aboveMa20: new Uint16Array(dayCount),
      aboveMa50: new Uint16Array(dayCount),
      indexReturn: new Float64Array(dayCount),
    };
  }

  add(ticker: number): void {
    const rows = tradedRows(this.#panel, ticker);
    const close = causalCloses(this.#panel, rows);
    const [ma20, ma50] = [sma(close, 20), sma(close, 50)];
    const average = new TrailingValue(this.#panel, ticker);
    const { listed_shares } = this.#panel.columns;
    const unknown = unknownShares(this.#panel, ticker);
    // The last row before a bar of which a source says the listed shares.
    let [said, next] = [this.#panel.firstRow(ticker), this.#panel.firstRow(ticker)];
    for (let bar = 0; bar < rows.length; bar++) {
      const day = this.#panel.columns.day[rows[bar]!]!;
      for (; next < rows[bar]!; next++) if (listed_shares[next]! > 0) said = next;
      // Without its market value the day before, a stock has no weight.
      const isWeighed = !unknown.some(({ from, to }) => from < rows[bar]! && rows[bar]! <= to);
      if (bar > 0 && isWeighed && average.upTo(day - 1) >= LIQUID_VALUE_IDR) {
        const ret = relativeMove(close[bar - 1]!, close[bar]!);
        this.#addReturn(day, { row: rows[bar]!, said, ret });
      }
      if (average.upTo(day) >= LIQUID_VALUE_IDR) this.#addPlace(day, close[bar]!, ma20[bar]!, ma50[bar]!);
    }
  }

  finish(): MarketDays {
    const { indexReturn } = this.#days;
    for (let day = 0; day < indexReturn.length; day++) {
      if (this.#weight[day]! > 0) indexReturn[day]! /= this.#weight[day]!;
    }
    return this.#days;
  }

  #addReturn(day: number, { row, said, ret }: { row: number; said: number; ret: number }): void {
    const { close, listed_shares } = this.#panel.columns;
    const weight = close[row - 1]! * listed_shares[said]! * this.#panel.shareScale(said, row - 1);
    this.#weight[day]! += weight;
    this.#days.indexReturn[day]! += weight * ret;
  }

  #addPlace(day: number, close: number, ma20: number, ma50: number): void {
    const { withMa20, withMa50, aboveMa20, aboveMa50 } = this.#days;
    if (ma20 > 0) withMa20[day]!++;
    if (ma50 > 0) withMa50[day]!++;
    if (relativeMove(ma20, close) > 0) aboveMa20[day]!++;
    if (relativeMove(ma50, close) > 0) aboveMa50[day]!++;
  }
}

/**
 * Closes of rows of one ticker, IDR adjusted to the ticker's first row. They are comparable with each other, and each depends
 * on nothing later than its own row. (Prices adjusted to an as-of day differ from these by one constant factor, which cancels
 * in returns and in comparisons with averages.)
 */
function causalCloses(panel: Panel, rows: Uint32Array): Float64Array {
  const { close, terms } = panel.columns;
  const closes = new Float64Array(rows.length);
  for (let bar = 0; bar < rows.length; bar++)
    closes[bar] = close[rows[bar]!]! / cumFactorAt(terms, rows[bar]!);
  return closes;
}

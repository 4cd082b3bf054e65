import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';

/** What a daily run says of a stock, as the last part of a field's name. */
const FIGURES = ['probability', 'rank', 'picked'] as const;
export type Figure = (typeof FIGURES)[number];

/** The daily results of a model on some days of a panel. They take 12 bytes for each stock-day. */
export class ModelResultDays {
  readonly #tickers: number;
  readonly #span: DaySpan;
  readonly #values: Record<Figure, Float32Array>;

  /** @param span the days (calendar indices) whose results are added */
  constructor({ tickerCount }: Pick<Panel, 'tickerCount'>, span: DaySpan) {
    this.#tickers = tickerCount;
    this.#span = span;
    const column = () => new Float32Array((span.lastDay + 1 - span.firstDay) * tickerCount).fill(NaN);
    this.#values = { probability: column(), rank: column(), picked: column() };
  }

  /**
   * @param ticker index
   * @param day within the span
   * @param result NaN where the run has no such figure of the stock; `picked` is 0 or 1
   */
  add(ticker: number, day: number, result: Record<Figure, number>): void {
    const at = (day - this.#span.firstDay) * this.#tickers + ticker;
    for (const figure of FIGURES) this.#values[figure][at] = result[figure];
  }

  /** The figure of a stock in the result of this very day, NaN without one. */
  at(figure: Figure, ticker: number, day: number): number {
    const { firstDay, lastDay } = this.#span;
    if (day < firstDay || day > lastDay) return NaN;
    return this.#values[figure][(day - firstDay) * this.#tickers + ticker]!;
  }
}

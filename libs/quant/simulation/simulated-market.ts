import { settlementDays } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';
import type { DaySpan } from '../panel/ranges.ts';

/** No day of any span. */
export const NEVER = 0x7fffffff;

/** The days of a simulation, so that looking up a stock on a day searches nothing. Days are calendar indices. */
export class SimulatedMarket {
  readonly panel: Panel;
  readonly span: DaySpan;
  readonly stocks: number;
  /** For each day of the span and each stock: its row of that day, -1 without one. */
  readonly #rows: Int32Array;
  /** The same of its last close up to the day, NaN before its first. */
  readonly #closes: Float32Array;
  /** For each day of the span: trading days until its trades are settled. */
  readonly #settlement: Uint8Array;
  /** For each day of the span: the stocks whose prices a corporate action restates. */
  readonly #restated: readonly (readonly number[])[];

  constructor(panel: Panel, span: DaySpan) {
    this.panel = panel;
    this.span = span;
    this.stocks = panel.tickerCount;
    this.#rows = new Int32Array(this.dayCount * this.stocks).fill(-1);
    this.#closes = new Float32Array(this.#rows.length).fill(NaN);
    for (let stock = 0; stock < this.stocks; stock++) this.#readRows(stock);
    this.#settlement = Uint8Array.from({ length: this.dayCount }, (_, at) =>
      settlementDays(this.dateOf(span.firstDay + at)),
    );
    this.#restated = restatedOf(panel, span);
  }

  #readRows(stock: number): void {
    const { panel, stocks } = this;
    const { firstDay, lastDay } = this.span;
    const { day: dayOf, close } = panel.columns;
    const [first, end] = [panel.firstRow(stock), panel.endRow(stock, lastDay)];
    let row = panel.endRow(stock, firstDay - 1) - 1;
    for (let day = firstDay, at = stock; day <= lastDay; day++, at += stocks) {
      while (row + 1 < end && dayOf[row + 1]! <= day) row++;
      if (row < first) continue;
      if (dayOf[row] === day) this.#rows[at] = row;
      this.#closes[at] = close[row]!;
    }
  }

  get dayCount(): number {
    return this.span.lastDay + 1 - this.span.firstDay;
  }

  dateOf(day: number): string {
    return this.panel.columns.dates[day]!;
  }

  /** For each stock: its last close up to a day, IDR; NaN before its first. */
  closesOn(day: number): Float32Array {
    const start = (day - this.span.firstDay) * this.stocks;
    return this.#closes.subarray(start, start + this.stocks);
  }

  settlementDays(day: number): number {
    return this.#settlement[day - this.span.firstDay]!;
  }

  /** The row of exactly that day, -1 without one. */
  rowOn(day: number, stock: number): number {
    return this.#rows[(day - this.span.firstDay) * this.stocks + stock]!;
  }

  /** The stocks whose prices a corporate action restates on a day. */
  restatedOn(day: number): readonly number[] {
    return this.#restated[day - this.span.firstDay]!;
  }
}

function restatedOf(panel: Panel, { firstDay, lastDay }: DaySpan): number[][] {
  const { day, terms } = panel.columns;
  const { stretch } = terms;
  const stocks: number[][] = Array.from({ length: lastDay + 1 - firstDay }, () => []);
  for (let stock = 0; stock < panel.tickerCount; stock++) {
    const end = panel.endRow(stock, lastDay);
    const begin = Math.max(panel.endRow(stock, firstDay), panel.firstRow(stock) + 1);
    for (let row = begin; row < end; row++)
      if (stretch[row] !== stretch[row - 1]) stocks[day[row]! - firstDay]!.push(stock);
  }
  return stocks;
}

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
  /** For each day of the span and each stock: its last row up to the day; -1 before its first. */
  readonly #lastRows: Int32Array;
  /** The closes of these rows. */
  readonly #closes: Float32Array;
  /** For each day of the span: trading days until its trades are settled. */
  readonly #settlement: Uint8Array;
  /** For each stock: the rows of the span on which a corporate action restates prices. */
  readonly #actionRows: readonly number[][];

  constructor(panel: Panel, span: DaySpan) {
    this.panel = panel;
    this.span = span;
    this.stocks = panel.tickerCount;
    this.#lastRows = lastRowsOf(panel, span);
    this.#closes = closesOf(panel, this.#lastRows);
    this.#settlement = Uint8Array.from({ length: this.dayCount }, (_, at) =>
      settlementDays(this.dateOf(span.firstDay + at)),
    );
    this.#actionRows = Array.from({ length: this.stocks }, (_, stock) => actionRowsOf(panel, stock, span));
  }

  get dayCount(): number {
    return this.span.lastDay + 1 - this.span.firstDay;
  }

  dateOf(day: number): string {
    return this.panel.columns.dates[day]!;
  }

  /** -1 before its first row. */
  lastRow(day: number, stock: number): number {
    return this.#lastRows[(day - this.span.firstDay) * this.stocks + stock]!;
  }

  /** The last close of a stock up to a day, IDR; NaN before its first. */
  closeOn(day: number, stock: number): number {
    return this.#closes[(day - this.span.firstDay) * this.stocks + stock]!;
  }

  settlementDays(day: number): number {
    return this.#settlement[day - this.span.firstDay]!;
  }

  /** The row of exactly that day, -1 without one. */
  rowOn(day: number, stock: number): number {
    const row = this.lastRow(day, stock);
    return row >= 0 && this.panel.columns.day[row] === day ? row : -1;
  }

  /** The day of the first corporate action of a stock after a day; {@link NEVER} if the span has none. */
  actionAfter(day: number, stock: number): number {
    const { day: dayOf } = this.panel.columns;
    for (const row of this.#actionRows[stock]!) if (dayOf[row]! > day) return dayOf[row]!;
    return NEVER;
  }
}

function lastRowsOf(panel: Panel, { firstDay, lastDay }: DaySpan): Int32Array {
  const { tickerCount: stocks, columns } = panel;
  const rows = new Int32Array((lastDay + 1 - firstDay) * stocks);
  for (let stock = 0; stock < stocks; stock++) {
    const [first, end] = [panel.firstRow(stock), panel.endRow(stock, lastDay)];
    let row = panel.endRow(stock, firstDay - 1) - 1;
    for (let day = firstDay; day <= lastDay; day++) {
      while (row + 1 < end && columns.day[row + 1]! <= day) row++;
      rows[(day - firstDay) * stocks + stock] = row < first ? -1 : row;
    }
  }
  return rows;
}

function closesOf({ columns: { close } }: Panel, rows: Int32Array): Float32Array {
  const closes = new Float32Array(rows.length).fill(NaN);
  for (let at = 0; at < rows.length; at++) if (rows[at]! >= 0) closes[at] = close[rows[at]!]!;
  return closes;
}

function actionRowsOf(panel: Panel, stock: number, { firstDay, lastDay }: DaySpan): number[] {
  const { stretch } = panel.columns.terms;
  const rows: number[] = [];
  const end = panel.endRow(stock, lastDay);
  const begin = Math.max(panel.endRow(stock, firstDay), panel.firstRow(stock) + 1);
  for (let row = begin; row < end; row++) if (stretch[row] !== stretch[row - 1]) rows.push(row);
  return rows;
}

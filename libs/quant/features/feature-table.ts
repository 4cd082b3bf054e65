import type { Panel } from '../panel/panel.ts';
import { firstAtLeast, type RowRange } from '../panel/ranges.ts';
import { LIQUID_VALUE_IDR } from '../universe/liquidity.ts';

/** A plain object over shared memory, like `PanelColumns`. */
export interface FeatureColumns {
  /** Names of stock features. Each value is the rank of a row among the names of its day. */
  stockFeatures: readonly string[];
  /** Names of market features. Each value is the same for every row of a day. */
  marketFeatures: readonly string[];
  /** Rows of calendar day d are `dayStarts[d]` to `dayStarts[d + 1]`, ascending by ticker. */
  dayStarts: Uint32Array;
  /** For each row: index of the ticker in the panel. */
  ticker: Uint16Array;
  /** For each row: row of the panel. */
  panelRow: Uint32Array;
  /** For each row: mean traded value of the last 20 exchange days, IDR. */
  averageValue: Float64Array;
  /**
   * One stock feature after the other, 0 to 254: the share of the day's reference names below the row, ties counted half; 127
   * where the feature is not defined. A byte has more steps than a trainer has bins.
   */
  ranks: Uint8Array;
  /** One market feature after the other, with one value for each calendar day; always finite. */
  market: Float32Array;
}

/** Ranks are bytes from 0 to 254. They are mapped to -1 to 1. */
const MIDDLE_RANK = 127;

/**
 * The features of every tradable stock on every day, computed once for each dataset version. A row depends only on panel rows
 * up to its own day, so an analysis of a past day may read it without looking ahead. Such an analysis must not read rows of
 * later days.
 */
export class FeatureTable {
  readonly columns: FeatureColumns;
  /** Stock features first, then those of the market. */
  readonly names: readonly string[];
  readonly panel: Panel;
  #references: Uint8Array | undefined;

  constructor(panel: Panel, columns: FeatureColumns) {
    this.panel = panel;
    this.columns = columns;
    this.names = [...columns.stockFeatures, ...columns.marketFeatures];
  }

  get rowCount(): number {
    return this.columns.ticker.length;
  }

  /** For each row: 1 for a reference name, 0 otherwise. Computed when it is first read. */
  get references(): Uint8Array {
    return (this.#references ??= referencesOf(this));
  }

  rowsOf(day: number): RowRange {
    const { dayStarts } = this.columns;
    return { from: dayStarts[day]!, to: dayStarts[day + 1]! };
  }

  /**
   * Index into `names`.
   * @throws RangeError when the table has no feature of that name.
   */
  feature(name: string): number {
    const feature = this.names.indexOf(name);
    if (feature === -1) throw new RangeError(`the feature table has no feature ${name}`);
    return feature;
  }

  /** Row of a ticker on a day, -1 when it was not tradable. */
  rowAt(ticker: number, day: number): number {
    const { ticker: tickers } = this.columns;
    const { from, to } = this.rowsOf(day);
    const row = firstAtLeast(tickers, ticker, from, to);
    return row < to && tickers[row] === ticker ? row : -1;
  }

  /** Calendar day of a row. */
  dayOf(row: number): number {
    return this.panel.columns.day[this.columns.panelRow[row]!]!;
  }

  /** Calendar day of each of these rows. */
  daysOf(rows: Uint32Array): Uint16Array {
    const { dayStarts } = this.columns;
    const days = new Uint16Array(rows.length);
    // Rows of a day mostly follow each other, and their panel rows are far apart.
    for (let i = 0, day = -1, from = 0, to = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (row < from || row >= to) {
        day = this.dayOf(row);
        [from, to] = [dayStarts[day]!, dayStarts[day + 1]!];
      }
      days[i] = day;
    }
    return days;
  }

  /** Value of feature `feature` (index into `names`) for one row, equal to what `read` writes. */
  value(feature: number, row: number): number {
    const { stockFeatures, ranks, market } = this.columns;
    if (feature < stockFeatures.length)
      return Math.fround((ranks[feature * this.rowCount + row]! - MIDDLE_RANK) / MIDDLE_RANK);
    return market[(feature - stockFeatures.length) * this.panel.dayCount + this.dayOf(row)]!;
  }

  /** Writes feature `feature` (index into `names`) of these rows to `out`. Ranks are mapped to -1 to 1. */
  read(feature: number, rows: Uint32Array, out: Float32Array): void {
    const { stockFeatures, ranks, market } = this.columns;
    if (feature < stockFeatures.length) {
      const start = feature * this.rowCount;
      for (let i = 0; i < rows.length; i++) out[i] = (ranks[start + rows[i]!]! - MIDDLE_RANK) / MIDDLE_RANK;
    } else {
      const start = (feature - stockFeatures.length) * this.panel.dayCount;
      const days = this.daysOf(rows);
      for (let i = 0; i < rows.length; i++) out[i] = market[start + days[i]!]!;
    }
  }
}

export const REFERENCE_CLOSE_IDR = 100;

/**
 * Whether a stock is a reference name. The other stocks of its day are ranked among these, and models learn from them. They
 * are liquid, and not so cheap that one tick is more than a percent.
 */
export function isReference(close: number, averageValue: number): boolean {
  return averageValue >= LIQUID_VALUE_IDR && close >= REFERENCE_CLOSE_IDR;
}

function referencesOf({ columns, panel }: FeatureTable): Uint8Array {
  const { panelRow, averageValue } = columns;
  const { close } = panel.columns;
  const references = new Uint8Array(panelRow.length);
  for (let row = 0; row < panelRow.length; row++)
    references[row] = Number(isReference(close[panelRow[row]!]!, averageValue[row]!));
  return references;
}

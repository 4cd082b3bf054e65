import type { MayBeUnwanted } from '#foundation/unwanted.ts';
import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { StockBars } from '#quant/features/stock-bars.ts';
import { relativeMove } from '#quant/price-move.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { firstAtLeast, type DaySpan } from '#quant/panel/ranges.ts';
import { unknownShares } from '#quant/panel/unknown-shares.ts';
import { cumFactorAt } from '#quant/panel/adjustment-factors.ts';
import type { RegimeHistory } from '#quant/regime/regime.ts';
import { tradedRows } from '#quant/universe/liquidity.ts';
import type { FactHistory } from './fact-history.ts';
import type { ModelResultDays } from './model-result-days.ts';

/** What fields are computed from. */
export interface FieldInputs extends MayBeUnwanted {
  readonly panel: Panel;
  /** The regime of `panel`, or of the panel as known on an earlier day. */
  readonly history: RegimeHistory;
  /** Over the bars of `panel`. */
  readonly brokerDays?: BrokerDays;
  /**
   * Calendar index of the first day on which the boards of the listing are those of the day; the last day of the panel if left
   * out. A listing is a snapshot, and its boards are not those of the past.
   */
  readonly boardsKnownFrom?: number;
  /** Imported values, by the name of their field. */
  readonly facts?: ReadonlyMap<string, FactHistory>;
  /** Daily results, by the id of their model, for at least the wanted days. */
  readonly modelResults?: ReadonlyMap<string, ModelResultDays>;
}

/** One stock of a panel, with what its fields share, over the days for which they are wanted. Later rows are not read. */
export class Stock {
  readonly inputs: FieldInputs;
  /** Index. */
  readonly ticker: number;
  /** Panel rows of the wanted days: `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  #bars: StockBars | undefined;
  #days: StockBars | undefined;
  #barAt: Int32Array | undefined;

  /** @param span calendar indices of the wanted days */
  constructor(inputs: FieldInputs, ticker: number, span: DaySpan) {
    const { panel } = inputs;
    this.inputs = inputs;
    this.ticker = ticker;
    this.from = panel.endRow(ticker, span.firstDay - 1);
    this.to = panel.endRow(ticker, span.lastDay);
  }

  get panel(): Panel {
    return this.inputs.panel;
  }

  /** The days on which it traded, up to the last wanted day. */
  get bars(): StockBars {
    if (!this.#bars) {
      const traded = tradedRows(this.panel, this.ticker);
      this.#bars = new StockBars(this.panel, this.ticker, traded.subarray(0, firstAtLeast(traded, this.to)));
    }
    return this.#bars;
  }

  /** Every day on which it has a row, up to the last wanted day. */
  get days(): StockBars {
    if (!this.#days) {
      const first = this.panel.firstRow(this.ticker);
      const rows = Uint32Array.from({ length: this.to - first }, (_, i) => first + i);
      this.#days = new StockBars(this.panel, this.ticker, rows);
    }
    return this.#days;
  }

  /** The newest bar up to a wanted row, -1 before the first. */
  barAt(row: number): number {
    this.#barAt ??= barsAt(this.bars.rows, this);
    return this.#barAt[row - this.from]!;
  }

  /** One value for each wanted row. */
  rows(valueOf: (row: number) => number): Float64Array {
    const out = new Float64Array(this.to - this.from);
    for (let i = 0; i < out.length; i++) out[i] = valueOf(this.from + i);
    return out;
  }
}

function barsAt(rows: Uint32Array, { from, to }: Stock): Int32Array {
  const out = new Int32Array(to - from);
  let bar = firstAtLeast(rows, from) - 1;
  for (let row = from; row < to; row++) {
    if (rows[bar + 1] === row) bar++;
    out[row - from] = bar;
  }
  return out;
}

/** One value for each wanted row of a stock, as in `Field`. */
export interface OfStock {
  (stock: Stock): Float64Array;
  /** Whether it is null on each day on which the stock did not trade. */
  readonly isOfTradedDays?: true;
}

/**
 * What describes the trading of a day, or of the days that the stock traded up to it: null on a day on which it did not trade, because
 * it would be taken for that day's. The field says so.
 */
export function ofTradedDays(of: OfStock): OfStock {
  const ofStock = (stock: Stock) => {
    const { volume } = stock.panel.columns;
    const values = of(stock);
    for (let i = 0; i < values.length; i++) if (volume[stock.from + i] === 0) values[i] = NaN;
    return values;
  };
  return Object.assign(ofStock, { isOfTradedDays: true as const });
}

/** Values of traded bars. */
export function perBar(of: (bars: StockBars) => Float64Array): OfStock {
  return ofTradedDays((stock) => {
    const values = of(stock.bars);
    return stock.rows((row) => values[stock.barAt(row)] ?? NaN);
  });
}

/** Values of traded bars that each read a window of their own, and so cost nothing for bars that nobody wants. */
export function perWantedBar(of: (bars: StockBars, bar: number) => number): OfStock {
  return ofTradedDays((stock) =>
    stock.rows((row) => (stock.barAt(row) < 0 ? NaN : of(stock.bars, stock.barAt(row)))),
  );
}

/**
 * Prices of traded bars that are adjusted to the stock's first row, in the terms of each day: multiplied by the corporate
 * actions up to that day, and by none after it.
 */
export function pricePerBar(of: (bars: StockBars) => Float64Array): OfStock {
  return ofTradedDays((stock) => {
    const { terms } = stock.panel.columns;
    const values = of(stock.bars);
    return stock.rows((row) => values[stock.barAt(row)]! * cumFactorAt(terms, row));
  });
}

/** Values of every day of the stock, of bars that include days without a trade: what reads windows of exchange days alone. */
export function perExchangeDay(of: (days: StockBars) => Float64Array): OfStock {
  return (stock) => {
    const values = of(stock.days);
    return stock.rows((row) => values[row - stock.days.rows[0]!]!);
  };
}

/** Values of a row alone. */
export function perRow(of: (panel: Panel, row: number) => number): OfStock {
  return (stock) => stock.rows((row) => of(stock.panel, row));
}

/** Null on days on which it was not known how many shares there are. */
export function ofKnownShares(of: OfStock): OfStock {
  return (stock) => {
    const { panel, ticker, from, to } = stock;
    const values = of(stock);
    for (const unknown of unknownShares(panel, ticker)) {
      values.fill(NaN, Math.max(0, unknown.from - from), Math.max(0, Math.min(unknown.to, to) - from));
    }
    return values;
  };
}

/** Values as of a day (calendar index), days without a trade included. */
export function perDay(of: (panel: Panel, ticker: number, day: number) => number | null): OfStock {
  return (stock) => {
    const { day } = stock.panel.columns;
    return stock.rows((row) => of(stock.panel, stock.ticker, day[row]!) ?? NaN);
  };
}

/** The same field with each value changed, of the wanted days alone. */
export function changed(of: OfStock, change: (value: number) => number): OfStock {
  return Object.assign((stock: Stock) => of(stock).map(change), of);
}

/** Multiplies values in place. */
export function scaled(values: Float64Array, by: number): Float64Array {
  for (let i = 0; i < values.length; i++) values[i]! *= by;
  return values;
}

/** 100 × (price / reference - 1), value by value. */
export function distancePct(price: Float64Array, reference: Float64Array): Float64Array {
  return price.map((value, i) => 100 * relativeMove(reference[i]!, value));
}

import { agreesWithVolume } from '../broker-rows/completeness.ts';
import type { Panel } from '../panel/panel.ts';
import { AT, MEASURE_COUNT, type BrokerMonth, type Measure } from './measures.ts';

interface HeldDay {
  /** Measures of all tickers of the month. */
  values: Float32Array;
  /** For each ticker of the panel: where its measures begin in `values`, -1 for none. */
  starts: Int32Array;
  /** For each ticker of the panel: 1 where its broker rows are complete. */
  isKnown: Uint8Array;
}

/**
 * Summaries of the gross broker rows of the regular market by stock-day, looked up by the tickers and days (indices) of a
 * panel. It holds whole months, about 2 MB each for a thousand tickers, and more can be added later. A stock-day is known
 * when both sides of its rows agree with each other and with the exchange's volume, within the tolerance used for all answers
 * from broker rows. Measures of a day come from rows of that day alone.
 */
export class BrokerDays {
  readonly panel: Panel;
  /** By calendar index. */
  readonly #days: (HeldDay | undefined)[];
  #beside: BrokerDays | undefined;

  constructor(panel: Panel, months: readonly BrokerMonth[] = []) {
    this.panel = panel;
    this.#days = new Array<HeldDay | undefined>(panel.dayCount).fill(undefined);
    for (const month of months) this.add(month);
  }

  /**
   * The summaries that are held now, beside the same bars with other adjustment. The last one made is cached, since runs of
   * neighbouring days share its bars, and what they compute of it is cached with it.
   */
  beside(panel: Panel): BrokerDays {
    if (panel === this.panel) return this;
    const others = this.#beside?.panel === panel ? this.#beside : new BrokerDays(panel);
    for (const [day, held] of this.#days.entries()) others.#days[day] = held;
    this.#beside = others;
    return others;
  }

  /** Adds a month. Ignores its days that the panel does not have; the panel's tickers that the month lacks stay unknown. */
  add({ dates, tickers, values }: BrokerMonth): void {
    const numbers = new Map(tickers.map((code, at) => [code, at * MEASURE_COUNT]));
    const starts = Int32Array.from(this.panel.columns.tickers, (code) => numbers.get(code) ?? -1);
    const daySize = tickers.length * MEASURE_COUNT;
    const days: number[] = [];
    for (const [at, date] of dates.entries()) {
      const day = this.panel.dayOnOrBefore(date);
      if (this.panel.columns.dates[day] !== date) continue;
      const ofDay = values.subarray(at * daySize, (at + 1) * daySize);
      this.#days[day] = { values: ofDay, starts, isKnown: new Uint8Array(this.panel.tickerCount) };
      days.push(day);
    }
    if (days.length > 0) this.#markKnown(days[0]!, days.at(-1)!);
  }

  /** Whether this day is loaded, so that a stock-day without rows here has none in the dataset either. */
  holds(day: number): boolean {
    return this.#days[day] !== undefined;
  }

  /** Whether the measures of a stock-day are known. */
  isKnown(ticker: number, day: number): boolean {
    return this.#days[day]?.isKnown[ticker] === 1;
  }

  /** NaN where the stock-day is not known. */
  value(measure: Measure, ticker: number, day: number): number {
    const held = this.#days[day];
    return held?.isKnown[ticker] === 1 ? held.values[held.starts[ticker]! + AT[measure]]! : NaN;
  }

  /** Writes all measures of a stock-day to `out`, starting at `at`. Returns false, and writes nothing, when it is unknown. */
  read(ticker: number, day: number, out: Float32Array, at: number): boolean {
    const held = this.#days[day];
    if (held?.isKnown[ticker] !== 1) return false;
    const start = held.starts[ticker]!;
    for (let measure = 0; measure < MEASURE_COUNT; measure++) {
      out[at + measure] = held.values[start + measure]!;
    }
    return true;
  }

  #markKnown(firstDay: number, lastDay: number): void {
    const { volume, day: dayOf } = this.panel.columns;
    for (let ticker = 0; ticker < this.panel.tickerCount; ticker++) {
      const end = this.panel.endRow(ticker, lastDay);
      for (let row = this.panel.endRow(ticker, firstDay - 1); row < end; row++) {
        const held = this.#days[dayOf[row]!];
        const start = held?.starts[ticker] ?? -1;
        if (!held || start < 0 || held.values[start + AT.turnover] === 0) continue;
        const bought = held.values[start + AT.bought_shares]!;
        held.isKnown[ticker] = Number(agreesWithVolume(bought, volume[row]!));
      }
    }
  }
}

import {
  confluenceSeries,
  readConfluence,
  type ConfluenceReading,
  type ConfluenceSeries,
} from '#quant/indicators/confluence.ts';
import { firstAtLeast } from '#quant/panel/first-at-least.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { tradedSeries } from '#quant/series/traded-series.ts';
import { SIGNAL_LOOKBACK, VOLUME_RATIO_MIN } from './params.ts';

interface StockSignals {
  /** Calendar index of each bar, ascending. */
  day: Uint16Array;
  signals: ConfluenceSeries;
}

/**
 * Which of model D's signals a stock had on past days, as they stood then. The signals of a bar are made of bars up
 * to it, so those of every day are read from one computation a stock.
 */
export class SignalHistory {
  readonly #panel: Panel;
  readonly #asOfDay: number;
  readonly #stocks = new Map<number, StockSignals>();

  constructor(panel: Panel, asOfDay: number) {
    this.#panel = panel;
    this.#asOfDay = asOfDay;
  }

  /** `day` is a calendar index up to the analysed one, on which the ticker (index) traded. */
  readingOn(ticker: number, day: number): ConfluenceReading {
    const stock = this.#stocks.get(ticker) ?? this.#compute(ticker);
    return readConfluence(stock.signals, firstAtLeast(stock.day, day), SIGNAL_LOOKBACK);
  }

  #compute(ticker: number): StockSignals {
    const series = tradedSeries(this.#panel, ticker, this.#asOfDay);
    const stock = { day: series.day, signals: confluenceSeries(series, VOLUME_RATIO_MIN) };
    this.#stocks.set(ticker, stock);
    return stock;
  }
}

import {
  type ConfluenceReading,
  confluenceSeries,
  type ConfluenceSeries,
  readConfluence,
} from '#quant/indicators/confluence.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { firstAtLeast } from '#quant/panel/ranges.ts';
import { tradedSeries } from '#quant/panel/traded-series.ts';
import { isSoldOffByForeigners } from '../confluence-filter/seller-filter.ts';
import type { PastForecast, PicksOf, ScoredStock } from '../trained/trained-market.ts';
import type { CombinedParams } from './params.ts';
import {
  combinedRules,
  SELLER_WINDOW,
  SIGNAL_LOOKBACK,
  type SignalsOfDay,
  VOLUME_RATIO_MIN,
} from './selection.ts';
import { Selection, wholeMarket } from '../picks/selection.ts';

interface StockSignals {
  /** Calendar index of each bar, ascending. */
  day: Uint16Array;
  signals: ConfluenceSeries;
}

/**
 * The signals of model D that a stock had on past days. The signals of a bar depend only on bars up to it, so one computation
 * per stock serves every day.
 */
class SignalHistory {
  readonly #panel: Panel;
  readonly asOfDay: number;
  readonly #stocks = new Map<number, StockSignals>();

  constructor(panel: Panel, asOfDay: number) {
    this.#panel = panel;
    this.asOfDay = asOfDay;
  }

  /** `day` is a calendar index up to the analysed one, on which the ticker (index) traded. */
  readingOn(ticker: number, day: number): ConfluenceReading {
    const stock = this.#stocks.get(ticker) ?? this.#compute(ticker);
    return readConfluence(stock.signals, firstAtLeast(stock.day, day), SIGNAL_LOOKBACK);
  }

  #compute(ticker: number): StockSignals {
    const series = tradedSeries(this.#panel, ticker, this.asOfDay);
    const stock = { day: series.day, signals: confluenceSeries(series, VOLUME_RATIO_MIN) };
    this.#stocks.set(ticker, stock);
    return stock;
  }
}

/** The history of the day requested last: the next run usually asks for the same day. */
const histories = new WeakMap<Panel, SignalHistory>();

function historyOf(panel: Panel, asOfDay: number): SignalHistory {
  const known = histories.get(panel);
  const history = known?.asOfDay === asOfDay ? known : new SignalHistory(panel, asOfDay);
  histories.set(panel, history);
  return history;
}

/**
 * The names this run would have picked on a past day: above its floors, probable enough, with enough signals on that day, best
 * first by its strategy. Two limits: sellers of past days are judged by foreign trades alone, because a run reads broker rows
 * of recent days only; and names below the liquidity floor of training have no past forecasts.
 */
export function picksOfPastDays(
  params: CombinedParams,
  panel: Panel,
  asOfDay: number,
): PicksOf<PastForecast> {
  const history = historyOf(panel, asOfDay);
  const asked = wholeMarket(params);
  return (ofDay: readonly ScoredStock[], day) => {
    const rules = combinedRules(signalsOn(panel, history, day), asked);
    return new Selection(ofDay, asked, () => rules).stocks;
  };
}

function signalsOn(panel: Panel, history: SignalHistory, day: number): SignalsOfDay {
  return {
    hitOf: (stock) => ({ stock, reading: history.readingOn(stock.ticker, day) }),
    isBought:
      () =>
      ({ ticker }) =>
        !isSoldOffByForeigners(panel, ticker, day, SELLER_WINDOW),
  };
}

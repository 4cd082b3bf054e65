import type { StockFlow } from '#quant/gross-flow/stock-flow.ts';
import { isAboveFloors, likeliestFirst } from '../learnt/floors.ts';
import type { LearntMarket, PastForecast, ScoredStock } from '../learnt/learnt-market.ts';
import type { GrossAlphaParams } from './params.ts';

export interface Ranked {
  stock: ScoredStock;
  /** What it is ranked by, 0 to 100. */
  score: number;
}

/** How the universe was narrowed: each list is part of the one before. */
export interface Selection {
  scanned: ScoredStock[];
  afterProbability: ScoredStock[];
  afterRetailFilter: ScoredStock[];
  /** Best first. */
  picks: Ranked[];
}

/** Of the score; the rest is the probability, so that the group decides between names about as likely. */
const GROUP_SHARE = 0.3;

/** A learnt market with what the brokers did in it. */
export class GrossMarket {
  readonly #market: LearntMarket;
  readonly #flow: StockFlow;
  /** By ticker: how much the group buys, 0 to 100. */
  readonly #groupPlaces: ReadonlyMap<number, number>;
  readonly #isRetailLed = new Map<number, boolean>();

  constructor(market: LearntMarket, flow: StockFlow, groupPlaces: ReadonlyMap<number, number>) {
    this.#market = market;
    this.#flow = flow;
    this.#groupPlaces = groupPlaces;
  }

  select(params: GrossAlphaParams): Selection {
    const { min_probability, exclude_retail_led, max_picks } = params;
    const scanned = this.#market.stocks.filter((stock) => isAboveFloors(stock, params));
    const afterProbability = scanned.filter(({ probability }) => probability >= min_probability);
    const afterRetailFilter = afterProbability.filter((stock) => !exclude_retail_led || !this.#isLed(stock));
    const picks = afterRetailFilter
      .map((stock) => ({ stock, score: this.#score(stock) }))
      .toSorted((a, b) => b.score - a.score || likeliestFirst(a.stock, b.stock))
      .slice(0, max_picks);
    return { scanned, afterProbability, afterRetailFilter, picks };
  }

  /** Whether the run would have let a name through on a past day. */
  passesOnItsDay(past: PastForecast, params: GrossAlphaParams): boolean {
    if (!isAboveFloors(past, params) || past.probability < params.min_probability) return false;
    return !params.exclude_retail_led || !this.#flow.isRetailLed(past.ticker, past.day);
  }

  #score({ probability, ticker }: ScoredStock): number {
    return (1 - GROUP_SHARE) * probability + GROUP_SHARE * this.#groupPlaces.get(ticker)!;
  }

  #isLed({ ticker }: ScoredStock): boolean {
    const isLed = this.#isRetailLed.get(ticker) ?? this.#flow.isRetailLed(ticker, this.#market.day);
    this.#isRetailLed.set(ticker, isLed);
    return isLed;
  }
}

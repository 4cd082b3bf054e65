import type { CombinedFunnel } from './result.ts';
import { defaultsOf } from '../parameters.ts';
import { type ConfluenceParams, params as ofModelD } from '../confluence-filter/model.ts';
import { Localised } from '#shared/text/localised.ts';
import type { ConfluenceMarket } from '../confluence-filter/selection.ts';
import {
  emptyBlock,
  type Filter,
  noneMet,
  priceFilter,
  probabilityFilter,
  shown,
  signalsFilter,
  valueFilter,
} from '../empty-block.ts';
import type { ScoredStock } from '../learnt/learnt-market.ts';
import {
  atLeast,
  behindLastPick,
  type Condition,
  countsOf,
  type NameTrace,
  type Shortfall,
  sieve,
  type Step,
  traces,
} from '../funnel.ts';
import { highestProbability, likeliestFirst, liquidStep, probabilityStep } from '../picks/ranking.ts';
import { type CombinedParams, COMPARE_ALL, params as declared, type Strategy } from './model.ts';
import { type Contender, hasSignalsFloor, rank, type Ranked, rankedBy } from './strategies.ts';

/** What model F has no parameters for, it takes from model D as that is by default. */
const OF_MODEL_D = defaultsOf(ofModelD);
export const { lookback: SIGNAL_LOOKBACK, vol_ratio_min: VOLUME_RATIO_MIN } = OF_MODEL_D;
export const SELLER_WINDOW = { days: OF_MODEL_D.seller_lookback, dominance: OF_MODEL_D.seller_dominance };

/** The run's floors as model D reads them. */
function confluenceParams({
  min_price,
  min_daily_val,
  min_signals,
  max_picks,
}: CombinedParams): ConfluenceParams {
  return { ...OF_MODEL_D, min_price, min_daily_val, min_signals, max_picks };
}

/**
 * How many names of the highest probability Intersection looks at. More than it may pick, or the second list would
 * hardly ever decide; few enough to be the best of the day.
 */
function likeliestCount({ max_picks }: CombinedParams): number {
  return 2 * max_picks;
}

type Steps = readonly Step<
  ScoredStock,
  CombinedParams,
  keyof Omit<CombinedFunnel, 'total_scanned' | 'final'>
>[];

/** How the universe was narrowed. */
export interface Selection {
  steps: Steps;
  /** Names before the first step, and those that pass each. */
  lists: ScoredStock[][];
  /** Those that the strategy considers: what passes all. */
  afterSignals: Contender[];
  /** What the strategy admits of them, best first. */
  ranked: Ranked[];
  /** The first `max_picks` of it. */
  picks: Ranked[];
}

/** The scored market of one day beside the same market as model D sees it. Trying other parameters costs next to nothing. */
export class CombinedMarket {
  readonly #stocks: readonly ScoredStock[];
  readonly #confluence: ConfluenceMarket;
  readonly #steps: Steps = [
    liquidStep(),
    probabilityStep(),
    { name: 'after_signals', conditions: [this.#agreement()] },
  ];

  constructor(stocks: readonly ScoredStock[], confluence: ConfluenceMarket) {
    this.#stocks = stocks;
    this.#confluence = confluence;
  }

  select(params: CombinedParams): Selection {
    const lists = sieve(this.#stocks, this.#steps, params);
    const [, , likely = [], passing = []] = lists;
    const afterSignals = this.#contenders(passing, likeliestOf(likely, params), params);
    const ranked = rankedBy(afterSignals, params);
    const picks = ranked.slice(0, params.max_picks);
    return { steps: this.#steps, lists, afterSignals, ranked, picks };
  }

  /** How far every name of the day came. */
  traces({ steps, lists, afterSignals, ranked, picks }: Selection, params: CombinedParams): NameTrace[] {
    const stocksOf = (all: readonly Ranked[]) => all.map(({ contender }) => contender.stock);
    const apart = new ListApart(afterSignals, params);
    return traces(lists[0]!, steps, params, {
      codeOf: ({ code }) => code,
      ranked: stocksOf(ranked),
      picks: stocksOf(picks),
      cut: (stock, place) =>
        place !== null && isSimpleCut(params)
          ? behindLastPick(place, params.max_picks)
          : apart.cut(stock, place),
    });
  }

  /** As many signals as wanted, where the strategy makes that a condition. */
  #agreement(): Condition<ScoredStock, CombinedParams> {
    const countOf = ({ ticker }: ScoredStock, params: CombinedParams) =>
      this.#confluence.hitOf(ticker, confluenceParams(params))?.reading.count ?? 0;
    const enough = atLeast<ScoredStock, CombinedParams, 'min_signals'>('min_signals', countOf);
    return {
      ...enough,
      holds: (stock, params) => !hasSignalsFloor(params.strategy) || enough.holds(stock, params),
    };
  }

  #contenders(
    stocks: readonly ScoredStock[],
    likeliest: ReadonlySet<ScoredStock>,
    params: CombinedParams,
  ): Contender[] {
    const ofModelD = confluenceParams(params);
    const bought = needsSellers(params) ? this.#confluence.select(ofModelD).ranked : [];
    const onModelD = new Set(bought.map(({ stock }) => stock.ticker));
    return stocks.flatMap((stock) => {
      const hit = this.#confluence.hitOf(stock.ticker, ofModelD);
      return hit ? [{ stock, hit, isOnBothLists: likeliest.has(stock) && onModelD.has(stock.ticker) }] : [];
    });
  }
}

/** Whether a longer list is the same list, only longer: those of Intersection and Compare All depend on `max_picks`. */
function isSimpleCut({ strategy }: CombinedParams): boolean {
  return strategy !== 'Intersection' && strategy !== COMPARE_ALL;
}

/**
 * What lets a name in that is not on both lists of Intersection, or on none of Compare All: the strategy whose list, of all
 * that pass the same steps, is simply as long as one wants.
 */
class ListApart {
  readonly #params: CombinedParams;
  readonly #strategy: Strategy;
  readonly #placeOf: Map<ScoredStock, number>;

  constructor(contenders: readonly Contender[], params: CombinedParams) {
    this.#params = params;
    this.#strategy = params.strategy === COMPARE_ALL ? 'Inverse Signal' : 'Hybrid Score';
    const list = isSimpleCut(params) ? [] : rank(this.#strategy, contenders, params);
    this.#placeOf = new Map(list.map(({ contender }, i) => [contender.stock, i + 1]));
  }

  cut(stock: ScoredStock, place: number | null): Shortfall {
    const [max_picks, needed] = [this.#params.max_picks, this.#placeOf.get(stock)!];
    return {
      ...(place === null
        ? { param: 'strategy', value: null, threshold: null }
        : { param: 'max_picks', value: place, threshold: max_picks }),
      changes: { strategy: this.#strategy, max_picks: Math.max(max_picks, needed) },
    };
  }
}

/** The names that Intersection looks at. */
export function likeliestOf(stocks: readonly ScoredStock[], params: CombinedParams): Set<ScoredStock> {
  return new Set(stocks.toSorted(likeliestFirst).slice(0, likeliestCount(params)));
}

/** Whether Intersection, the one strategy that asks who sells, has a part in the run. */
export function needsSellers({ strategy }: Pick<CombinedParams, 'strategy'>): boolean {
  return strategy === 'Intersection' || strategy === COMPARE_ALL;
}

/** Lowering it lets nothing more through where signals are no floor. */
const SIGNALS_FILTER: Filter<CombinedParams> = {
  ...signalsFilter,
  looser: (params) => (hasSignalsFloor(params.strategy) ? signalsFilter.looser(params) : []),
};

/** The only strategy with rules of its own beside the floors. */
const strategyFilter = ({ afterSignals }: Selection): Filter<CombinedParams> => ({
  label: new Localised('Strategi', 'Strategy'),
  looser: ({ strategy }) => (strategy === 'Intersection' ? [{ strategy: 'Hybrid Score' }] : []),
  show: ({ strategy }) => shown(() => strategy),
  reason: () =>
    afterSignals.length > 0
      ? new Localised(
          'Tidak ada saham yang masuk kedua daftar Intersection hari ini.',
          'No stock is on both lists of Intersection today.',
        )
      : undefined,
});

export function funnelOf({ steps, lists, picks }: Selection): CombinedFunnel {
  return countsOf(steps, lists, picks);
}

/** What the caller of model F reads when nothing passed. */
export function combinedEmptyBlock(
  market: CombinedMarket,
  params: CombinedParams,
  selection: Selection,
  isoDate: string,
) {
  const [, liquid = [], afterProbability = [], afterSignals = []] = selection.lists;
  const hasFloor = hasSignalsFloor(params.strategy);
  const isApart = afterSignals.length > 0;
  return emptyBlock({
    message: noneMet(
      isoDate,
      liquid,
      ({ plain }) =>
        `${plain(afterProbability.length)} lolos probabilitas` +
        (hasFloor ? ` dan ${plain(afterSignals.length)} di antaranya lolos sinyal` : '') +
        (isApart ? ', tetapi tidak satu pun masuk kedua daftar Intersection' : ''),
      ({ plain }) =>
        `${plain(afterProbability.length)} passed the probability` +
        (hasFloor ? `, and ${plain(afterSignals.length)} of them the signals` : '') +
        (isApart ? ', but none is on both lists of Intersection' : ''),
    ),
    funnel: funnelOf(selection),
    params,
    filters: [
      probabilityFilter({ highestPct: highestProbability(liquid) }),
      SIGNALS_FILTER,
      strategyFilter(selection),
      valueFilter,
      priceFilter(declared.min_price),
    ],
    passing: (tried) => passing(market.select(tried), tried),
  });
}

/** Compare All ranks only what one of its lists picks, but lets through all that any of them could. */
function passing({ afterSignals, ranked }: Selection, { strategy }: CombinedParams): number {
  return strategy === COMPARE_ALL ? afterSignals.length : ranked.length;
}

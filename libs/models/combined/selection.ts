import type { CombinedFunnel } from './result.ts';
import { defaultsOf } from '../parameters.ts';
import { type ConfluenceParams, params as ofModelD } from '../confluence-filter/params.ts';
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
} from '../results/empty-block.ts';
import type { ScoredStock } from '../learnt/learnt-market.ts';
import {
  requestedOf,
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
import { type CombinedParams, COMPARE_ALL, params as declared, type Strategy } from './params.ts';
import { type Contender, hasSignalsFloor, rank, type Ranked, rankedBy } from './strategies.ts';

/** Model F has no parameters for these and uses model D's defaults. */
const OF_MODEL_D = defaultsOf(ofModelD);
export const { lookback: SIGNAL_LOOKBACK, vol_ratio_min: VOLUME_RATIO_MIN } = OF_MODEL_D;
export const SELLER_WINDOW = { days: OF_MODEL_D.seller_lookback, dominance: OF_MODEL_D.seller_dominance };

/** The run's floors as parameters of model D. */
function confluenceParams({
  min_price,
  min_daily_val,
  min_signals,
  max_picks,
}: CombinedParams): ConfluenceParams {
  return { ...OF_MODEL_D, min_price, min_daily_val, min_signals, max_picks };
}

/**
 * The number of most probable names that Intersection considers. It exceeds `max_picks`, or the second list would hardly ever
 * decide, and is small enough to hold only the best of the day.
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
  /** Every name of the day. */
  universe: readonly ScoredStock[];
  /** Names that may be picked, before the first step and after each step. */
  lists: (readonly ScoredStock[])[];
  /** The names that the strategy considers: those that pass every step. */
  afterSignals: Contender[];
  /** The names that the strategy admits, best first. */
  ranked: Ranked[];
  /** Those of `ranked` that may be picked. */
  requested: readonly Ranked[];
  /** The first `max_picks` of `requested`. */
  picks: readonly Ranked[];
}

/** One day's scored market together with model D's view of the same market. Trying other parameters is cheap. */
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
    const whole = sieve(this.#stocks, this.#steps, params);
    const [, , likely = [], passing = []] = whole;
    const afterSignals = this.#contenders(passing, likeliestOf(likely, params), params);
    const ranked = rankedBy(afterSignals, params);
    const requested = requestedOf(ranked, params, codeOf);
    return {
      steps: this.#steps,
      universe: this.#stocks,
      lists: whole.map((list) => requestedOf(list, params, ({ code }) => code)),
      afterSignals,
      ranked,
      requested,
      picks: requested.slice(0, params.max_picks),
    };
  }

  /** How far each name of the day got. */
  traces({ steps, universe, afterSignals, ranked, picks }: Selection, params: CombinedParams): NameTrace[] {
    const stocksOf = (all: readonly Ranked[]) => all.map(({ contender }) => contender.stock);
    const apart = new ListApart(afterSignals, params);
    return traces(universe, steps, params, {
      codeOf: ({ code }) => code,
      ranked: stocksOf(ranked),
      picks: stocksOf(picks),
      cut: (stock, place) =>
        place !== null && isSimpleCut(params)
          ? behindLastPick(place, params.max_picks)
          : apart.cut(stock, place),
    });
  }

  /** Requires `min_signals` signals if the strategy makes that a condition. */
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

const codeOf = ({ contender }: Ranked) => contender.stock.code;

/** Whether a longer list only adds names at the end. The lists of Intersection and Compare All change with `max_picks`. */
function isSimpleCut({ strategy }: CombinedParams): boolean {
  return strategy !== 'Intersection' && strategy !== COMPARE_ALL;
}

/** The strategy that ranks every name which passes the steps of Compare All. */
const OF_EVERY_NAME = 'Inverse Signal';

/**
 * The change that lets in a name that is not on both lists of Intersection, or on no list of Compare All: another strategy,
 * which ranks every name that passes the same steps, with a `max_picks` that reaches the name.
 */
class ListApart {
  readonly #params: CombinedParams;
  readonly #strategy: Strategy;
  readonly #placeOf: Map<ScoredStock, number>;

  constructor(contenders: readonly Contender[], params: CombinedParams) {
    this.#params = params;
    this.#strategy = params.strategy === COMPARE_ALL ? OF_EVERY_NAME : 'Hybrid Score';
    const list = isSimpleCut(params) ? [] : rank(this.#strategy, contenders, params);
    this.#placeOf = new Map(
      requestedOf(list, params, codeOf).map(({ contender }, i) => [contender.stock, i + 1]),
    );
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

/** The most probable names, which Intersection considers. */
export function likeliestOf(stocks: readonly ScoredStock[], params: CombinedParams): Set<ScoredStock> {
  return new Set(stocks.toSorted(likeliestFirst).slice(0, likeliestCount(params)));
}

/** Whether the run includes Intersection, the only strategy that judges sellers. */
export function needsSellers({ strategy }: Pick<CombinedParams, 'strategy'>): boolean {
  return strategy === 'Intersection' || strategy === COMPARE_ALL;
}

/** Lowering `min_signals` lets no more names through if the strategy does not use it as a floor. */
const SIGNALS_FILTER: Filter<CombinedParams> = {
  ...signalsFilter,
  looser: (params) => (hasSignalsFloor(params.strategy) ? signalsFilter.looser(params) : []),
};

/** Intersection is the only strategy with rules beyond the floors; among some tickers, so is Compare All. */
const strategyFilter = ({ lists }: Selection): Filter<CombinedParams> => ({
  label: new Localised('Strategi', 'Strategy'),
  looser: ({ strategy, tickers }) => {
    if (strategy === 'Intersection') return [{ strategy: 'Hybrid Score' }];
    return strategy === COMPARE_ALL && tickers ? [{ strategy: OF_EVERY_NAME }] : [];
  },
  show: ({ strategy }) => shown(() => strategy),
  reason: ({ strategy }) => {
    if (lists.at(-1)!.length === 0) return undefined;
    const { id, en } = onNoList(strategy).in;
    return new Localised(`Tidak ada saham yang masuk ${id} hari ini.`, `No stock is on ${en} today.`);
  },
});

/** The lists that names which pass every step are not on. Those of Compare All are full of names that may not be picked. */
function onNoList(strategy: CombinedParams['strategy']): Localised {
  return strategy === COMPARE_ALL
    ? new Localised('daftar salah satu strategi', 'the list of any strategy')
    : new Localised('kedua daftar Intersection', 'both lists of Intersection');
}

export function funnelOf({ steps, lists, picks }: Selection): CombinedFunnel {
  return countsOf(steps, lists, picks);
}

/** The block that a model F result without picks contains. */
export function combinedEmptyBlock(
  market: CombinedMarket,
  params: CombinedParams,
  selection: Selection,
  isoDate: string,
) {
  const [, liquid = [], afterProbability = [], afterSignals = []] = selection.lists;
  const hasFloor = hasSignalsFloor(params.strategy);
  const { id: noList, en: noListEn } = onNoList(params.strategy).in;
  const isApart = afterSignals.length > 0;
  return emptyBlock({
    message: noneMet(
      isoDate,
      liquid,
      ({ plain }) =>
        `${plain(afterProbability.length)} lolos probabilitas` +
        (hasFloor ? ` dan ${plain(afterSignals.length)} di antaranya lolos sinyal` : '') +
        (isApart ? `, tetapi tidak satu pun masuk ${noList}` : ''),
      ({ plain }) =>
        `${plain(afterProbability.length)} passed the probability` +
        (hasFloor ? `, and ${plain(afterSignals.length)} of them the signals` : '') +
        (isApart ? `, but none is on ${noListEn}` : ''),
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

/** Compare All ranks only the names that one of its lists picks, but every name that any list could pick counts as passing. */
function passing({ lists, requested }: Selection, { strategy }: CombinedParams): number {
  return strategy === COMPARE_ALL && requested.length > 0 ? lists.at(-1)!.length : requested.length;
}

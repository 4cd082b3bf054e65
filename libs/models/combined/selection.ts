import type { CombinedFunnel } from './result.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { type ConfluenceParams, params as ofModelD } from '../confluence-filter/params.ts';
import { Localised } from '#foundation/text/localised.ts';
import type { ConfluenceMarket } from '../confluence-filter/selection.ts';
import {
  type Filter,
  liquidityFilters,
  probabilityFilter,
  shown,
  signalsFilter,
  type WhyNone,
} from '../picks/empty-block.ts';
import type { ScoredStock } from '../trained/trained-market.ts';
import { atLeast, behindLastPick, type Shortfall } from '../picks/funnel.ts';
import { highestProbability, likeliestFirst, liquidStep, probabilityStep } from '../picks/ranking.ts';
import { requestedOf, type Rules, type Selection } from '../picks/selection.ts';
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

type StepName = keyof Omit<CombinedFunnel, 'total_scanned' | 'final'>;
type CombinedRules = Rules<ScoredStock, CombinedParams, Ranked, StepName>;
type CombinedSelection = Selection<ScoredStock, CombinedParams, Ranked, StepName>;

/** Model D's view of the stocks of a day. */
export interface SignalsOfDay {
  /** Undefined for a stock that is outside model D's universe. */
  hitOf: (stock: ScoredStock, params: ConfluenceParams) => Contender['hit'] | undefined;
  /** Whether sellers do not dominate a stock that has enough signals and is above the floors. Only Intersection asks. */
  isBought: (params: ConfluenceParams) => (stock: ScoredStock) => boolean;
}

/** What model D says of the analysed day. */
export function signalsOf(market: ConfluenceMarket): SignalsOfDay {
  return {
    hitOf: ({ ticker }, params) => market.hitOf(ticker, params),
    isBought: (params) => {
      const bought = new Set(market.select(params).ranked.map(({ stock }) => stock.ticker));
      return ({ ticker }) => bought.has(ticker);
    },
  };
}

/** The rules of one selection. Trying other parameters is cheap. */
export function combinedRules(signals: SignalsOfDay, params: CombinedParams): CombinedRules {
  const ofModelD = confluenceParams(params);
  const countOf = (stock: ScoredStock) => signals.hitOf(stock, ofModelD)?.reading.count ?? 0;
  const enough = atLeast<ScoredStock, CombinedParams, 'min_signals'>('min_signals', countOf);
  /** `min_signals` signals, if the strategy makes that a condition. */
  const agreement: typeof enough = {
    ...enough,
    holds: (stock) => !hasSignalsFloor(params.strategy) || enough.holds(stock, params),
  };
  const contendersIn = (lists: readonly (readonly ScoredStock[])[]): Contender[] => {
    const [, , likely = [], passing = []] = lists;
    const likeliest = likeliestOf(likely, params);
    const isBought = needsSellers(params) ? signals.isBought(ofModelD) : () => false;
    return passing.flatMap((stock) => {
      const hit = signals.hitOf(stock, ofModelD);
      return hit ? [{ stock, hit, isOnBothLists: likeliest.has(stock) && isBought(stock) }] : [];
    });
  };
  // The ranking and the traces ask for them, and model D selects for them.
  let contenders: Contender[] | undefined;
  return {
    steps: [liquidStep(), probabilityStep(), { name: 'after_signals', conditions: [agreement] }],
    rank: (_, lists) => rankedBy((contenders ??= contendersIn(lists)), params),
    cut: (lists) => {
      const apart = new ListApart((contenders ??= contendersIn(lists)), params);
      return (stock, place) =>
        place !== null && isSimpleCut(params)
          ? behindLastPick(place, params.max_picks)
          : apart.cut(stock, place);
    },
  };
}

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
    const requested = requestedOf(list, params, ({ stock }) => stock.code);
    this.#placeOf = new Map(requested.map(({ stock }, i) => [stock, i + 1]));
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
function likeliestOf(stocks: readonly ScoredStock[], params: CombinedParams): Set<ScoredStock> {
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
const strategyFilter = ({ lists }: CombinedSelection): Filter<CombinedParams> => ({
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

/** Why a run of model F has no picks. */
export function whyNone(selection: CombinedSelection): WhyNone<CombinedParams, CombinedSelection> {
  const [, liquid = [], afterProbability = [], afterSignals = []] = selection.lists;
  const { strategy } = selection.params;
  const hasFloor = hasSignalsFloor(strategy);
  const { id: noList, en: noListEn } = onNoList(strategy).in;
  const isApart = afterSignals.length > 0;
  return {
    id: ({ plain }) =>
      `${plain(afterProbability.length)} lolos probabilitas` +
      (hasFloor ? ` dan ${plain(afterSignals.length)} di antaranya lolos sinyal` : '') +
      (isApart ? `, tetapi tidak satu pun masuk ${noList}` : ''),
    en: ({ plain }) =>
      `${plain(afterProbability.length)} passed the probability` +
      (hasFloor ? `, and ${plain(afterSignals.length)} of them the signals` : '') +
      (isApart ? `, but none is on ${noListEn}` : ''),
    filters: [
      probabilityFilter({ highestPct: highestProbability(liquid) }),
      SIGNALS_FILTER,
      strategyFilter(selection),
      ...liquidityFilters(declared.min_price),
    ],
    // Compare All ranks only the names that one of its lists picks, but every name that any list could pick counts as passing.
    passing: ({ lists, requested }, tried) =>
      tried.strategy === COMPARE_ALL && requested.length > 0 ? lists.at(-1)!.length : requested.length,
  };
}

import type { CombinedFunnel } from './result.ts';
import { defaultsOf } from '../parameters.ts';
import { type ConfluenceParams, params as ofModelD } from '../confluence-filter/model.ts';
import { longDate, plainNumber } from '#shared/text/indonesian.ts';
import type { ConfluenceMarket } from '../confluence-filter/selection.ts';
import {
  emptyBlock,
  type Filter,
  priceFilter,
  probabilityFilter,
  signalsFilter,
  valueFilter,
} from '../empty-block.ts';
import type { ScoredStock } from '../learnt/learnt-market.ts';
import { highestProbability, isAboveFloors, likeliestFirst } from '../learnt/picks.ts';
import { type CombinedParams, COMPARE_ALL, params as declared } from './model.ts';
import { type Contender, hasSignalsFloor, isAdmitted, type Ranked, rankedBy } from './strategies.ts';

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

/** How the universe was narrowed: each list is part of the one before. */
export interface Selection {
  scanned: readonly ScoredStock[];
  liquid: ScoredStock[];
  afterProbability: ScoredStock[];
  /** Those that the strategy considers. */
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

  constructor(stocks: readonly ScoredStock[], confluence: ConfluenceMarket) {
    this.#stocks = stocks;
    this.#confluence = confluence;
  }

  select(params: CombinedParams): Selection {
    const liquid = this.#stocks.filter((stock) => isAboveFloors(stock, params));
    const afterProbability = liquid.filter(({ probability }) => probability >= params.min_probability);
    const contenders = this.#contenders(afterProbability, params);
    const afterSignals = contenders.filter((contender) => isAdmitted(params.strategy, contender, params));
    const ranked = rankedBy(afterSignals, params);
    const picks = ranked.slice(0, params.max_picks);
    return { scanned: this.#stocks, liquid, afterProbability, afterSignals, ranked, picks };
  }

  #contenders(stocks: readonly ScoredStock[], params: CombinedParams): Contender[] {
    const ofModelD = confluenceParams(params);
    const { hits } = this.#confluence.select({ ...ofModelD, min_signals: 0, seller_filter: false });
    const hitOf = new Map(hits.map((hit) => [hit.stock.ticker, hit]));
    const bought = needsSellers(params) ? this.#confluence.select(ofModelD).afterSellerFilter : [];
    const onModelD = new Set(bought.map(({ stock }) => stock.ticker));
    const likeliest = likeliestOf(stocks, params);
    return stocks.flatMap((stock) => {
      const hit = hitOf.get(stock.ticker);
      return hit ? [{ stock, hit, isOnBothLists: likeliest.has(stock) && onModelD.has(stock.ticker) }] : [];
    });
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
  label: 'Strategi',
  looser: ({ strategy }) => (strategy === 'Intersection' ? [{ strategy: 'Hybrid Score' }] : []),
  show: ({ strategy }) => strategy,
  reason: () =>
    afterSignals.length > 0 ? 'Tidak ada saham yang masuk kedua daftar Intersection hari ini.' : undefined,
});

export function funnelOf(selection: Selection): CombinedFunnel {
  const { scanned, liquid, afterProbability, afterSignals, picks } = selection;
  return {
    total_scanned: scanned.length,
    total_liquid: liquid.length,
    after_probability: afterProbability.length,
    after_signals: afterSignals.length,
    final: picks.length,
  };
}

/** What the caller of model F is told when nothing passed. */
export function combinedEmptyBlock(
  market: CombinedMarket,
  params: CombinedParams,
  selection: Selection,
  isoDate: string,
) {
  const { liquid, afterProbability, afterSignals } = selection;
  const signals = hasSignalsFloor(params.strategy)
    ? ` dan ${plainNumber(afterSignals.length)} di antaranya lolos sinyal`
    : '';
  const both = afterSignals.length > 0 ? ', tetapi tidak satu pun masuk kedua daftar Intersection' : '';
  return emptyBlock({
    message:
      `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
      `Dari ${plainNumber(liquid.length)} saham likuid, ${plainNumber(afterProbability.length)} lolos probabilitas` +
      `${signals}${both}.`,
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

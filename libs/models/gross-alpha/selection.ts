import type { GrossFunnel } from './result.ts';
import { Localised } from '#shared/text/localised.ts';
import {
  emptyBlock,
  type Filter,
  noneMet,
  priceFilter,
  probabilityFilter,
  switched,
  valueFilter,
} from '../results/empty-block.ts';
import type { LearntMarket, ScoredStock } from '../learnt/learnt-market.ts';
import {
  requestedOf,
  behindLastPick,
  countsOf,
  type NameTrace,
  sieve,
  type Step,
  traces,
  unlessSwitchedOff,
  wholeMarket,
} from '../funnel.ts';
import {
  highestProbability,
  likeliestFirst,
  liquidStep,
  probabilityStep,
  type RankedStock,
  type Score,
} from '../picks/ranking.ts';
import type { GroupTrades } from './group-trades.ts';
import { type GrossAlphaParams, params as declared } from './params.ts';

type Steps = readonly Step<
  ScoredStock,
  GrossAlphaParams,
  keyof Omit<GrossFunnel, 'total_scanned' | 'final'>
>[];

/** How the universe was narrowed. */
interface Selection {
  steps: Steps;
  /** Every name of the day. */
  universe: readonly ScoredStock[];
  /** Names that may be picked, before the first step and after each step. */
  lists: (readonly ScoredStock[])[];
  /** The names that pass every step, best first. */
  ranked: RankedStock[];
  /** Those of `ranked` that may be picked. */
  requested: readonly RankedStock[];
  /** The first `max_picks` of `requested`. */
  picks: readonly RankedStock[];
}

/** Weight of the group in the score. The rest is the probability, so the group decides between names of similar probability. */
const GROUP_SHARE = 0.3;

/** A learnt market with the broker trades in it. */
export class GrossMarket {
  readonly #market: LearntMarket;
  readonly #trades: GroupTrades;

  constructor(market: LearntMarket, trades: GroupTrades) {
    this.#market = market;
    this.#trades = trades;
  }

  select(params: GrossAlphaParams): Selection {
    return this.#selectOf(this.#market.stocks, params);
  }

  /** The names that the run would have picked on a past day. */
  picksOf(ofDay: readonly ScoredStock[], params: GrossAlphaParams): ScoredStock[] {
    return this.#selectOf(ofDay, wholeMarket(params)).picks.map(({ stock }) => stock);
  }

  #selectOf(stocks: readonly ScoredStock[], params: GrossAlphaParams): Selection {
    const steps = this.#steps();
    const lists = sieve(stocks, steps, params);
    const ranked = lists
      .at(-1)!
      .map((stock) => ({ stock, ...this.#score(stock) }))
      .toSorted((a, b) => b.score - a.score || likeliestFirst(a.stock, b.stock));
    const requested = requestedOf(ranked, params, ({ stock }) => stock.code);
    return {
      steps,
      universe: stocks,
      lists: lists.map((list) => requestedOf(list, params, ({ code }) => code)),
      ranked,
      requested,
      picks: requested.slice(0, params.max_picks),
    };
  }

  #steps(): Steps {
    const notLed = unlessSwitchedOff<ScoredStock, GrossAlphaParams, 'exclude_retail_led'>(
      'exclude_retail_led',
      ({ row }) => !this.#trades.retailLed.has(row),
    );
    return [liquidStep(), probabilityStep(), { name: 'after_retail_filter', conditions: [notLed] }];
  }

  #score({ probability, row }: ScoredStock): Score {
    const fromProbability = (1 - GROUP_SHARE) * probability;
    return { score: fromProbability + GROUP_SHARE * this.#trades.groupPlaces.get(row)!, fromProbability };
  }
}

const RETAIL_FILTER: Filter<GrossAlphaParams> = {
  label: new Localised('Saringan kenaikan yang didorong ritel', 'Filter of rises that retail brokers drive'),
  looser: ({ exclude_retail_led }) => (exclude_retail_led ? [{ exclude_retail_led: false }] : []),
  show: ({ exclude_retail_led }) => switched(exclude_retail_led),
};

export function funnelOf({ steps, lists, picks }: Selection): GrossFunnel {
  return countsOf(steps, lists, picks);
}

/** How far each name of the day got. */
export function tracesOf(
  { steps, universe, ranked, picks }: Selection,
  params: GrossAlphaParams,
): NameTrace[] {
  const stocksOf = (all: readonly RankedStock[]) => all.map(({ stock }) => stock);
  return traces(universe, steps, params, {
    codeOf: ({ code }) => code,
    ranked: stocksOf(ranked),
    picks: stocksOf(picks),
    cut: (_, place) => behindLastPick(place!, params.max_picks),
  });
}

/** The block that a model C result without picks contains. */
export function grossEmptyBlock(
  market: GrossMarket,
  params: GrossAlphaParams,
  selection: Selection,
  isoDate: string,
) {
  const [, liquid = [], afterProbability = [], afterRetailFilter = []] = selection.lists;
  const { min_probability, exclude_retail_led } = params;
  return emptyBlock({
    message: noneMet(
      isoDate,
      liquid,
      ({ exact, plain }) =>
        `${plain(afterProbability.length)} mencapai probabilitas ${exact(min_probability)}` +
        (exclude_retail_led
          ? ` dan ${plain(afterRetailFilter.length)} di antaranya tidak sedang didorong pembelian ritel`
          : ''),
      ({ exact, plain }) =>
        `${plain(afterProbability.length)} reached a probability of ${exact(min_probability)}` +
        (exclude_retail_led
          ? `, and ${plain(afterRetailFilter.length)} of them are not driven by retail buying`
          : ''),
    ),
    funnel: funnelOf(selection),
    params,
    filters: [
      probabilityFilter({ highestPct: highestProbability(liquid) }),
      RETAIL_FILTER,
      valueFilter,
      priceFilter(declared.min_price),
    ],
    passing: (tried) => market.select(tried).requested.length,
  });
}

import type { MarketSwings } from '#quant/gann/swings.ts';
import { type CycleReading, emptyReading } from '#quant/gann/cycle-reading.ts';
import { CycleMarket, type CycleSettings } from '#quant/gann/cycle-market.ts';
import { isAboveFloors } from '#quant/universe/liquidity.ts';
import type { GannFunnel } from './result.ts';
import { Localised, localised } from '#shared/text/localised.ts';
import {
  above,
  below,
  days,
  emptyBlock,
  type Filter,
  noneMet,
  priceFilter,
  probabilityFilter,
  shown,
  valueFilter,
} from '../results/empty-block.ts';
import type { PicksOf } from '../learnt/learnt-market.ts';
import {
  requestedOf,
  atLeast,
  behindLastPick,
  type Condition,
  countsOf,
  type NameTrace,
  sieve,
  type Step,
  traces,
} from '../funnel.ts';
import { liquidStep } from '../picks/ranking.ts';
import type { GannDay, GannStock } from './day.ts';
import { type GannParams, params as declared } from './params.ts';

export function cycleSettings({ cycles, cycle_tolerance, price_tolerance_pct }: GannParams): CycleSettings {
  return { cycles, cycleTolerance: cycle_tolerance, priceTolerancePct: price_tolerance_pct };
}

/** A name with its cycle reading. */
export interface Turning {
  stock: GannStock;
  cycle: CycleReading;
  /** The value it is ranked by, 0 to 100: the probability if one was learnt, otherwise the cycle score. */
  score: number;
}

type Steps = readonly Step<Turning, GannParams, keyof Omit<GannFunnel, 'total_scanned' | 'final'>>[];

/** How the universe was narrowed. */
interface Selection {
  /** Every name of the day. */
  universe: readonly Turning[];
  /** Names that may be picked, before the first step and after each step. */
  lists: (readonly Turning[])[];
  /** The names that pass every step, best first. */
  ranked: Turning[];
  /** Those of `ranked` that may be picked. */
  requested: readonly Turning[];
  /** The first `max_picks` of `requested`. */
  picks: readonly Turning[];
}

const onCycle = atLeast<Turning, GannParams, 'min_cycle_score'>(
  'min_cycle_score',
  ({ cycle }) => cycle.score,
);

/** Without learning there is no probability, so every name passes. */
const likely = atLeast<Turning, GannParams, 'min_probability'>(
  'min_probability',
  ({ stock }) => stock.probability ?? 100,
);

export const STEPS: Steps = [
  { name: 'total_liquid', conditions: liquidStep<GannParams>().conditions.map((each) => ofStock(each)) },
  { name: 'after_cycle', conditions: [onCycle] },
  { name: 'after_probability', conditions: [likely] },
];

/** Turns a condition on a stock into one on a turning name. */
function ofStock({
  holds,
  value,
  undo,
  ...condition
}: Condition<GannStock, GannParams>): Condition<Turning, GannParams> {
  return {
    ...condition,
    holds: ({ stock }, params) => holds(stock, params),
    value: ({ stock }, params) => value(stock, params),
    undo: ({ stock }, params) => undo(stock, params),
  };
}

/** One day's market with its cycles. Swings are found once, so trying other parameters is cheap. */
export class GannMarket {
  readonly #stocks: readonly GannStock[];
  readonly #swings: MarketSwings;

  constructor({ stocks }: Pick<GannDay, 'stocks'>, swings: MarketSwings) {
    this.#stocks = stocks;
    this.#swings = swings;
  }

  select(params: GannParams): Selection {
    const cycles = new CycleMarket(this.#swings, cycleSettings(params));
    const scanned = this.#stocks.map((stock) => turning(cycles, stock));
    const lists = sieve(scanned, STEPS, params);
    const ranked = lists.at(-1)!.toSorted(bestFirst);
    const requested = requestedOf(ranked, params, codeOf);
    return {
      universe: scanned,
      lists: lists.map((list) => requestedOf(list, params, codeOf)),
      ranked,
      requested,
      picks: requested.slice(0, params.max_picks),
    };
  }
}

/** The names a run would pick on a past day. `swings` can be read as of any day up to the analysed one. */
export function picksOfPastDays(swings: MarketSwings, params: GannParams): PicksOf<GannStock> {
  const cycles = new CycleMarket(swings, cycleSettings(params));
  return (ofDay) => {
    // Read cycles last: they take most of the time.
    const likelyOnes = ofDay.filter(
      (stock) => isAboveFloors(stock, params) && (stock.probability ?? 100) >= params.min_probability,
    );
    const turnings = likelyOnes.map((stock) => turning(cycles, stock));
    const [, ...passing] = sieve(turnings, STEPS, params);
    const ranked = passing.at(-1)!.toSorted(bestFirst);
    return ranked.slice(0, params.max_picks).map(({ stock }) => stock);
  };
}

const codeOf = ({ stock }: Turning) => stock.code;

function turning(cycles: CycleMarket, stock: GannStock): Turning {
  const cycle = emptyReading();
  cycles.read(stock.ticker, stock.panelRow, cycle);
  return { stock, cycle, score: stock.probability ?? cycle.score };
}

/** Orders by the unrounded chance, if there is one, then cycle score, traded value and code. */
function bestFirst(a: Turning, b: Turning): number {
  return (
    (b.stock.chance ?? 0) - (a.stock.chance ?? 0) ||
    b.cycle.score - a.cycle.score ||
    b.stock.averageValue - a.stock.averageValue ||
    (a.stock.code < b.stock.code ? -1 : 1)
  );
}

const CYCLE_SCORE_STEPS = Array.from({ length: 20 }, (_, i) => 95 - 5 * i);

export function funnelOf({ lists, picks }: Selection): GannFunnel {
  return countsOf(STEPS, lists, picks);
}

/** How far each name of the day got. */
export function tracesOf({ universe, ranked, picks }: Selection, params: GannParams): NameTrace[] {
  return traces(universe, STEPS, params, {
    codeOf,
    ranked,
    picks,
    cut: (_, place) => behindLastPick(place!, params.max_picks),
  });
}

/** The block that a model B result without picks contains. */
export function gannEmptyBlock(
  market: GannMarket,
  params: GannParams,
  selection: Selection,
  isoDate: string,
) {
  const [, liquid = [], onCycle = [], likely = []] = selection.lists;
  const { use_ml, min_cycle_score } = params;
  return emptyBlock({
    message: noneMet(
      isoDate,
      liquid,
      ({ exact, plain }) =>
        `${plain(onCycle.length)} mencapai skor siklus ${exact(min_cycle_score)}` +
        (use_ml ? ` dan ${plain(likely.length)} di antaranya lolos probabilitas` : ''),
      ({ exact, plain }) =>
        `${plain(onCycle.length)} reached a cycle score of ${exact(min_cycle_score)}` +
        (use_ml ? `, and ${plain(likely.length)} of them passed the probability` : ''),
    ),
    funnel: funnelOf(selection),
    params,
    filters: [
      ...(params.use_ml ? [probabilities(selection)] : []),
      cycleScores(selection),
      ...(params.use_ml ? [] : TOLERANCES),
      valueFilter,
      priceFilter(declared.min_price),
    ],
    passing: (tried) => market.select(tried).requested.length,
  });
}

function probabilities({ lists: [, liquid = []] }: Selection) {
  const percents = liquid.flatMap(({ stock }) => stock.probability ?? []);
  const highestPct = percents.length === 0 ? undefined : Math.max(...percents);
  return probabilityFilter({ highestPct });
}

function cycleScores({ lists: [, liquid = []] }: Selection): Filter<GannParams> {
  const highest = Math.max(...liquid.map(({ cycle }) => cycle.score));
  return {
    label: new Localised('Skor siklus minimum', 'Lowest cycle score'),
    looser: (params) =>
      below(params.min_cycle_score, CYCLE_SCORE_STEPS).map((min_cycle_score) => ({ min_cycle_score })),
    show: ({ min_cycle_score }) => shown(({ exact }) => exact(min_cycle_score)),
    reason: ({ min_cycle_score }) =>
      liquid.length > 0 && highest < min_cycle_score
        ? localised(
            ({ exact, oneDecimal }) =>
              `Skor tertinggi hari ini ${oneDecimal(roundedDown(highest))} sehingga ambang ${exact(min_cycle_score)} menyaring semua saham.`,
            ({ exact, oneDecimal }) =>
              `The highest score today is ${oneDecimal(roundedDown(highest))}, so that the threshold of ${exact(min_cycle_score)} leaves out every stock.`,
          )
        : undefined,
  };
}

/** Rounds down to one decimal, so that a score below a threshold never looks equal to it. */
function roundedDown(score: number): number {
  return Math.floor(10 * score) / 10;
}

/** Only for runs that learn nothing: with a model, the effect of other tolerances is known only after learning again. */
const TOLERANCES: readonly Filter<GannParams>[] = [
  {
    label: new Localised('Toleransi siklus', 'Tolerance of cycles'),
    looser: (params) =>
      above(params.cycle_tolerance, [1, 2, 3, 4, 5]).map((cycle_tolerance) => ({ cycle_tolerance })),
    show: ({ cycle_tolerance }) => days(cycle_tolerance),
  },
  {
    label: new Localised('Toleransi harga', 'Tolerance of price'),
    looser: (params) =>
      above(params.price_tolerance_pct, [1, 1.5, 2, 3, 4, 5]).map((price_tolerance_pct) => ({
        price_tolerance_pct,
      })),
    show: ({ price_tolerance_pct }) => shown(({ exact }) => `${exact(price_tolerance_pct)}%`),
  },
];

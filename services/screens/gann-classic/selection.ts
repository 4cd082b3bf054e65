import type { MarketSwings } from '#quant/gann/swings.ts';
import { type CycleReading, emptyReading } from '#quant/gann/cycle-reading.ts';
import { CycleMarket, type CycleSettings } from '#quant/gann/cycle-market.ts';
import type { GannFunnel } from './result.ts';
import { exactNumber, longDate, oneDecimal, plainNumber } from '#shared/text/indonesian.ts';
import {
  above,
  below,
  emptyBlock,
  type Filter,
  priceFilter,
  probabilityFilter,
  valueFilter,
} from '../empty-block.ts';
import type { PicksOf } from '../learnt/learnt-market.ts';
import { isAboveFloors } from '../learnt/picks.ts';
import type { GannDay, GannStock } from './day.ts';
import { type GannParams, params as declared } from './model.ts';

export function cycleSettings({ cycles, cycle_tolerance, price_tolerance_pct }: GannParams): CycleSettings {
  return { cycles, cycleTolerance: cycle_tolerance, priceTolerancePct: price_tolerance_pct };
}

/** A name with what the cycles say of it. */
export interface Turning {
  stock: GannStock;
  cycle: CycleReading;
  /** What it is ranked by, 0 to 100: the probability where one was learnt, otherwise the cycle score. */
  score: number;
}

/** How the universe was narrowed: each list is part of the one before. */
interface Selection {
  scanned: readonly GannStock[];
  liquid: Turning[];
  onCycle: Turning[];
  likely: Turning[];
  /** Best first, at most `max_picks`. */
  picks: Turning[];
}

/** The market of one day with its cycles. Swings are found once, so trying other parameters costs next to nothing. */
export class GannMarket {
  readonly #stocks: readonly GannStock[];
  readonly #swings: MarketSwings;

  constructor({ stocks }: Pick<GannDay, 'stocks'>, swings: MarketSwings) {
    this.#stocks = stocks;
    this.#swings = swings;
  }

  select(params: GannParams): Selection {
    const cycles = new CycleMarket(this.#swings, cycleSettings(params));
    const liquid = this.#stocks
      .filter((stock) => isAboveFloors(stock, params))
      .map((stock) => turning(cycles, stock));
    const onCycle = liquid.filter(({ cycle }) => cycle.score >= params.min_cycle_score);
    const likely = onCycle.filter(({ stock }) => isLikely(stock, params));
    return { scanned: this.#stocks, liquid, onCycle, likely, picks: bestOf(likely, params) };
  }
}

/** What a run would pick of the names of a past day; `swings` as they may stand on any day up to the analysed one. */
export function picksOfPastDays(swings: MarketSwings, params: GannParams): PicksOf<GannStock> {
  const cycles = new CycleMarket(swings, cycleSettings(params));
  return (ofDay) => {
    const likely = ofDay.filter((stock) => isAboveFloors(stock, params) && isLikely(stock, params));
    const onCycle = likely
      .map((stock) => turning(cycles, stock))
      .filter(({ cycle }) => cycle.score >= params.min_cycle_score);
    return bestOf(onCycle, params).map(({ stock }) => stock);
  };
}

function bestOf(turnings: readonly Turning[], { max_picks }: GannParams): Turning[] {
  return turnings.toSorted(bestFirst).slice(0, max_picks);
}

/** Without learning there is no probability to be too low. */
function isLikely({ probability }: GannStock, { min_probability }: GannParams): boolean {
  return probability === undefined || probability >= min_probability;
}

function turning(cycles: CycleMarket, stock: GannStock): Turning {
  const cycle = emptyReading();
  cycles.read(stock.ticker, stock.panelRow, cycle);
  return { stock, cycle, score: stock.probability ?? cycle.score };
}

/** By the unrounded chance, where there is one, then the cycle score, the traded value and the code. */
function bestFirst(a: Turning, b: Turning): number {
  return (
    (b.stock.chance ?? 0) - (a.stock.chance ?? 0) ||
    b.cycle.score - a.cycle.score ||
    b.stock.averageValue - a.stock.averageValue ||
    (a.stock.code < b.stock.code ? -1 : 1)
  );
}

const CYCLE_SCORE_STEPS = Array.from({ length: 20 }, (_, i) => 95 - 5 * i);

export function funnelOf({ scanned, liquid, onCycle, likely, picks }: Selection): GannFunnel {
  return {
    total_scanned: scanned.length,
    total_liquid: liquid.length,
    after_cycle: onCycle.length,
    after_probability: likely.length,
    final: picks.length,
  };
}

/** What the caller of model B is told when nothing passed. */
export function gannEmptyBlock(
  market: GannMarket,
  params: GannParams,
  selection: Selection,
  isoDate: string,
) {
  const { liquid, onCycle, likely } = selection;
  const afterProbability = params.use_ml
    ? ` dan ${plainNumber(likely.length)} di antaranya lolos probabilitas`
    : '';
  return emptyBlock({
    message:
      `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
      `Dari ${plainNumber(liquid.length)} saham likuid, ${plainNumber(onCycle.length)} mencapai skor siklus ` +
      `${exactNumber(params.min_cycle_score)}${afterProbability}.`,
    funnel: funnelOf(selection),
    params,
    filters: [
      ...(params.use_ml ? [probabilities(selection)] : []),
      cycleScores(selection),
      ...(params.use_ml ? [] : TOLERANCES),
      valueFilter,
      priceFilter(declared.min_price),
    ],
    passing: (tried) => market.select(tried).likely.length,
  });
}

function probabilities({ liquid }: Selection) {
  const percents = liquid.flatMap(({ stock }) => stock.probability ?? []);
  const highestPct = percents.length === 0 ? undefined : Math.max(...percents);
  return probabilityFilter({ highestPct });
}

function cycleScores({ liquid }: Selection): Filter<GannParams> {
  const highest = Math.max(...liquid.map(({ cycle }) => cycle.score));
  return {
    label: 'Skor siklus minimum',
    looser: (params) =>
      below(params.min_cycle_score, CYCLE_SCORE_STEPS).map((min_cycle_score) => ({ min_cycle_score })),
    show: ({ min_cycle_score }) => exactNumber(min_cycle_score),
    reason: ({ min_cycle_score }) =>
      liquid.length > 0 && highest < min_cycle_score
        ? `Skor tertinggi hari ini ${oneDecimal(roundedDown(highest))} sehingga ambang ${exactNumber(min_cycle_score)} menyaring semua saham.`
        : undefined,
  };
}

/** To one decimal, so that what is below a threshold never reads as if it were the threshold. */
function roundedDown(score: number): number {
  return Math.floor(10 * score) / 10;
}

/** Of runs that learn nothing: what a model would make of other tolerances, only learning anew could tell. */
const TOLERANCES: readonly Filter<GannParams>[] = [
  {
    label: 'Toleransi siklus',
    looser: (params) =>
      above(params.cycle_tolerance, [1, 2, 3, 4, 5]).map((cycle_tolerance) => ({ cycle_tolerance })),
    show: ({ cycle_tolerance }) => `${cycle_tolerance} hari`,
  },
  {
    label: 'Toleransi harga',
    looser: (params) =>
      above(params.price_tolerance_pct, [1, 1.5, 2, 3, 4, 5]).map((price_tolerance_pct) => ({
        price_tolerance_pct,
      })),
    show: ({ price_tolerance_pct }) => `${exactNumber(price_tolerance_pct)}%`,
  },
];

import { CycleMarket } from '#quant/cycle/cycle-market.ts';
import { emptyReading, type CycleReading } from '#quant/cycle/cycle-reading.ts';
import type { MarketSwings } from '#quant/cycle/market-swings.ts';
import type { PicksOf } from '../learnt/best-of-each-day.ts';
import { isAboveFloors } from '../learnt/floors.ts';
import type { GannDay, GannStock } from './gann-day.ts';
import { cycleSettings, type GannParams } from './params.ts';

/** A name with what the cycles say of it. */
export interface Turning {
  stock: GannStock;
  cycle: CycleReading;
  /** What it is ranked by, 0 to 100: the probability where one was learnt, otherwise the cycle score. */
  score: number;
}

/** How the universe was narrowed: each list is part of the one before. */
export interface Selection {
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

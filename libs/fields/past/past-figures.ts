import { refuseUnwanted } from '#foundation/unwanted.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { chanceBetterThanRandom, spreadOf, type DrawSpread } from '#quant/performance/better-than-random.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { blockDays, blockResamples, BOOTSTRAP } from '#quant/statistics/block-bootstrap.ts';
import { isSold, pickFigures, type PickFigures, type PickWeek } from '#quant/statistics/pick-figures.ts';
import { eachPick, pickDays, type PastPicks } from './past-picks.ts';
import { randomChoices } from './random-choices.ts';

/** The past of a screen. Returns are fractions. */
export interface PastFigures {
  all: PickFigures;
  by_year: { year: number; figures: PickFigures }[];
  by_regime: { regime: Regime; figures: PickFigures }[];
  overlap: Overlap;
  random: RandomFigures | undefined;
  /** What picks returned more than all candidates in each whole period of a horizon; 0 in one without picks. */
  excessByPeriod: number[];
}

/** How picks overlap in time. */
interface Overlap {
  /** The share of picks that were picked on the counted day before too; undefined without picks. */
  pickedAgain: number | undefined;
  /** How many positions are open on average on a day, if every pick is bought. */
  openPositions: number;
}

/** The mean net return of a pick over random choices: see {@link randomChoices}. */
interface RandomFigures extends DrawSpread {
  /** The chance that the screen is better than a random choice; undefined if it bought nothing. */
  chanceBetter: number | undefined;
}

/** @param regimes for each day of the panel */
export function pastFigures(
  { columns }: Panel,
  past: PastPicks,
  { horizonDays, regimes }: { horizonDays: number; regimes: readonly Regime[] },
): PastFigures {
  const { firstDay } = past.span;
  const days = pickDays(past, columns.tickers).map((day, i) => ({
    ...day,
    isCounted: isCounted(past, i),
    year: Number(columns.dates[firstDay + i]!.slice(0, 4)),
    regime: regimes[firstDay + i]!,
  }));
  const resamples = blockResamples(days.length, { ...BOOTSTRAP, blockLength: blockDays(horizonDays) });
  const figuresOf = (belongs: (day: (typeof days)[number]) => boolean = () => true) => {
    refuseUnwanted(past);
    return pickFigures(days, resamples, (day) => day.isCounted && belongs(day));
  };
  const all = figuresOf();
  const counted = days.filter((day) => day.isCounted);
  const years = new Set(counted.map(({ year }) => year));
  const present = new Set(counted.map(({ regime }) => regime));
  return {
    all,
    by_year: [...years].map((year) => ({ year, figures: figuresOf((day) => day.year === year) })),
    by_regime: (['BULL', 'SIDEWAYS', 'BEAR'] as const)
      .filter((regime) => present.has(regime))
      .map((regime) => ({ regime, figures: figuresOf((day) => day.regime === regime) })),
    overlap: overlapOf(past),
    random: randomFigures(past, all.net_return.value ?? undefined),
    excessByPeriod: excessByPeriod(days, horizonDays),
  };
}

/** The oldest days, which make no whole period, are left out. */
function excessByPeriod(days: readonly PickWeek[], periodDays: number): number[] {
  const periods = Math.floor(days.length / periodDays);
  const start = days.length - periods * periodDays;
  return Array.from({ length: periods }, (_, period) => {
    const from = start + period * periodDays;
    const picked = days
      .slice(from, from + periodDays)
      .flatMap(({ picks, universe }) =>
        picks.filter(isSold).map(({ netReturn }) => netReturn - universe.meanNetReturn),
      );
    return picked.length === 0 ? 0 : picked.reduce((sum, excess) => sum + excess, 0) / picked.length;
  });
}

/** Whether a day of the span counts, or only passes by. */
function isCounted({ matches }: PastPicks, day: number): boolean {
  return matches.isCounted?.[day] !== 0;
}

function overlapOf(past: PastPicks): Overlap {
  const { matches, stocks, outcomes, span } = past;
  const { starts, stocks: picked } = matches;
  const ordinals = new Int32Array(starts.length);
  for (let day = 1; day < starts.length; day++)
    ordinals[day] = ordinals[day - 1]! + (isCounted(past, day - 1) ? 1 : 0);
  const lastPicked = new Int32Array(stocks).fill(-2);
  let [again, openDays] = [0, 0];
  eachPick(matches, stocks, (at, day) => {
    const stock = at - day * stocks;
    if (lastPicked[stock] === ordinals[day]! - 1) again++;
    lastPicked[stock] = ordinals[day]!;
    if (outcomes.filled[at] === 1) openDays += outcomes.exitDay[at]! - (span.firstDay + day);
  });
  return {
    pickedAgain: picked.length === 0 ? undefined : again / picked.length,
    openPositions: openDays / (starts.length - 1),
  };
}

function randomFigures(past: PastPicks, netReturn: number | undefined): RandomFigures | undefined {
  const ascending = randomChoices(past).sort();
  if (ascending.length === 0) return undefined;
  return {
    ...spreadOf(ascending),
    chanceBetter: netReturn === undefined ? undefined : chanceBetterThanRandom(netReturn, ascending),
  };
}

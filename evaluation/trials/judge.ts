import type { DealtName } from '../day-outcomes.ts';
import {
  blockWeeks,
  BOOTSTRAP,
  blockResamples,
  estimate,
  type Estimate,
} from '#quant/statistics/block-bootstrap.ts';
import { rankIc } from '../statistics/rank-ic.ts';
import { ratio } from '#quant/statistics/pick-figures.ts';

/** A name that passed the floors, with its score in a trial. */
interface ScoredName {
  score: number;
  outcome: DealtName;
}

/** A day of a trial. `names` are scored even if the trial makes no picks on the day, which `isOpen` says. */
export interface JudgedDay {
  date: string;
  names: readonly ScoredName[];
  isOpen: boolean;
}

interface TrialFigures {
  days: number;
  /** Number of days on which it picked. */
  open: number;
  ic: Estimate;
  /** Rank IC minus that of the first trial on the same days. */
  icGain: Estimate;
  /** Win rate of the ten best divided by that of all names, on the days on which it picked. */
  lift: Estimate;
  /** Mean return of the ten best, a fraction after costs. */
  net: Estimate;
}

const PICKS = 10;
const DAYS_BETWEEN = 10;

/** Figures for the days of a span. `first` holds the days of the trial that the others are compared with. */
export function judged(
  days: readonly JudgedDay[],
  first: readonly JudgedDay[],
  horizonDays: number,
): TrialFigures {
  const perStep = 5 / DAYS_BETWEEN;
  const resampling = { ...BOOTSTRAP, blockLength: Math.ceil(blockWeeks(horizonDays) * perStep) };
  const resamples = blockResamples(days.length, resampling);
  const ic = rankIc(days.map(forecasts), resamples);
  const gains = days.map((day, i) => difference(icOf(day), icOf(first[i]!)));
  const sums = days.map(sumsOf);
  return {
    days: days.length,
    open: days.filter(({ isOpen }) => isOpen).length,
    ic: ic.mean,
    icGain: estimate(gains, resamples, ([sum, count]) => ratio(sum!, count!)),
    lift: estimate(sums, resamples, ([picks, wins, , expected]) =>
      picks === 0 ? null : ratio(wins!, expected!),
    ),
    net: estimate(sums, resamples, ([picks, , net]) => ratio(net!, picks!)),
  };
}

function forecasts({ names }: JudgedDay) {
  return names
    .filter(({ outcome }) => outcome.filled)
    .map(({ score, outcome }) => ({ chance: score, netReturn: outcome.netReturn }));
}

function icOf(day: JudgedDay): number | null {
  return rankIc([forecasts(day)], { drawn: [], blockLength: 1 }).mean.value;
}

function difference(own: number | null, other: number | null): Float64Array | undefined {
  return own === null || other === null ? undefined : Float64Array.of(own - other, 1);
}

/** Picks, their wins and net returns, and the expected wins of as many blind picks. */
function sumsOf({ names, isOpen }: JudgedDay): Float64Array {
  const sums = new Float64Array(4);
  if (!isOpen) return sums;
  const bought = (list: readonly ScoredName[]) =>
    list.map(({ outcome }) => outcome).filter(({ filled }) => filled);
  const picks = bought(names.toSorted((a, b) => b.score - a.score).slice(0, PICKS));
  const all = bought(names);
  const wins = (list: readonly DealtName[]) => list.filter(({ won }) => won).length;
  sums[0] = picks.length;
  sums[1] = wins(picks);
  sums[2] = picks.reduce((sum, { netReturn }) => sum + netReturn, 0);
  sums[3] = (picks.length * wins(all)) / Math.max(1, all.length);
  return sums;
}

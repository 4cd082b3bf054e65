import { estimate, estimates, type Estimate, type OfSums, type Resamples } from './block-bootstrap.ts';

/** Outcome of a name, net of costs. */
export interface NameOutcome {
  code: string;
  /** Whether the target was reached before the stop. */
  won: boolean;
  /** As a fraction of the price paid; NaN if nobody could sell it. */
  netReturn: number;
}

/** Whether the position was sold, so that it has a return. */
export function isSold({ netReturn }: Pick<NameOutcome, 'netReturn'>): boolean {
  return !Number.isNaN(netReturn);
}

/** A run for a past day, and its outcome. */
export interface PickWeek {
  /** The picks whose position was opened. */
  picks: readonly NameOutcome[];
  /** Number of picks that could not be bought. */
  unfilled: number;
  /** All names that passed the run's own floors on that day and could be bought. The mean is of those that were sold. */
  universe: { names: number; winRate: number; meanNetReturn: number };
}

export interface PickFigures {
  weeks: number;
  weeks_with_picks: number;
  /** Number of picks whose position was opened. */
  picks: number;
  /** Number of further picks that could not be bought. */
  unfilled: number;
  /** Number of `picks` that nobody could sell. They have no return; targets were not reached, so they count in rates. */
  unsold: number;
  /** Fraction of the picks that reached the target before the stop. */
  win_rate: number | null;
  /** The same for all names that passed the runs' floors, each week weighted by its number of picks. */
  base_rate: number | null;
  /** `win_rate` over `base_rate`. */
  lift: Estimate;
  /** Mean net gain of the picks that gained / mean net loss of the others. */
  payoff: number | null;
  /** Mean net return of a pick that was sold, as a fraction. */
  net_return: Estimate;
  /** `net_return` less the net return of all names that passed the floors, each week weighted by its number of picks. */
  excess_net_return: Estimate;
}

/** The expected result of random picks among these names, all of which could be bought. */
export function universeOf(names: readonly Pick<NameOutcome, 'won' | 'netReturn'>[]): PickWeek['universe'] {
  const mean = (values: readonly number[]) =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    names: names.length,
    winRate: mean(names.map(({ won }) => (won ? 1 : 0))),
    meanNetReturn: mean(names.filter(isSold).map(({ netReturn }) => netReturn)),
  };
}

const NO_RESAMPLES: Resamples = { drawn: [], blockLength: 1 };

/** Indices of the sums over weeks. */
const SUM = { picks: 0, wins: 1, expectedWins: 2, sold: 3, net: 4, expectedNet: 5 } as const;

/**
 * Figures of the weeks that `belongs` selects, compared with the expected result of the same number of random picks from the
 * same names on the same days.
 */
export function pickFigures<Week extends PickWeek>(
  weeks: readonly Week[],
  resamples: Resamples,
  belongs: (week: Week) => boolean = () => true,
): PickFigures {
  const rows = weeks.map((week) => (belongs(week) ? sumsOf(week) : undefined));
  const counted = weeks.filter(belongs);
  const picks = counted.flatMap((week) => week.picks);
  const { lift, net_return, excess_net_return } = estimates(rows, resamples, {
    lift: (sums) => ratio(sums[SUM.wins]!, sums[SUM.expectedWins]!),
    net_return: (sums) => ratio(sums[SUM.net]!, sums[SUM.sold]!),
    excess_net_return: (sums) => ratio(sums[SUM.net]! - sums[SUM.expectedNet]!, sums[SUM.sold]!),
  });
  const value = (statistic: OfSums) => estimate(rows, NO_RESAMPLES, statistic).value;
  return {
    weeks: counted.length,
    weeks_with_picks: counted.filter(({ picks, unfilled }) => picks.length + unfilled > 0).length,
    picks: picks.length,
    unfilled: counted.reduce((sum, { unfilled }) => sum + unfilled, 0),
    unsold: picks.length - picks.filter(isSold).length,
    win_rate: value((sums) => ratio(sums[SUM.wins]!, sums[SUM.picks]!)),
    base_rate: value((sums) => ratio(sums[SUM.expectedWins]!, sums[SUM.picks]!)),
    lift,
    payoff: payoffOf(picks),
    net_return,
    excess_net_return,
  };
}

function sumsOf({ picks, universe }: PickWeek): Float64Array {
  const sold = picks.filter(isSold);
  const sums = new Float64Array(6);
  sums[SUM.picks] = picks.length;
  sums[SUM.wins] = picks.filter(({ won }) => won).length;
  sums[SUM.expectedWins] = picks.length * universe.winRate;
  sums[SUM.sold] = sold.length;
  sums[SUM.net] = sold.reduce((sum, { netReturn }) => sum + netReturn, 0);
  sums[SUM.expectedNet] = sold.length * universe.meanNetReturn;
  return sums;
}

function payoffOf(picks: readonly NameOutcome[]): number | null {
  const meanOf = (returns: number[]) =>
    ratio(
      returns.reduce((sum, one) => sum + one, 0),
      returns.length,
    );
  const returns = picks.map(({ netReturn }) => netReturn);
  const gain = meanOf(returns.filter((net) => net > 0));
  const loss = meanOf(returns.filter((net) => net <= 0));
  return gain === null || loss === null ? null : ratio(gain, -loss);
}

/** Null when `whole` is 0. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

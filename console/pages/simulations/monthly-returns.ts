import type { Schemas } from '#client/index.ts';

type Result = Schemas['SimulationResult'];

export interface YearOfReturns {
  year: string;
  /** Return of each month, percent, January first; undefined where the account did not exist. */
  months: readonly (number | undefined)[];
  whole: number;
  /** The same year of all liquid stocks in equal parts. */
  equalWeight: number;
}

const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'));

/** The months of a simulation, a row for each year, newest first. */
export function monthlyReturns({ by_year, by_month }: Pick<Result, 'by_year' | 'by_month'>): YearOfReturns[] {
  const byMonth = new Map(by_month.map(({ month, return_pct }) => [month, return_pct]));
  return by_year
    .map(({ year, return_pct, equal_weight_pct }) => ({
      year,
      months: MONTHS.map((month) => byMonth.get(`${year}-${month}`)),
      whole: return_pct,
      equalWeight: equal_weight_pct,
    }))
    .reverse();
}

/** How far each value is below the highest so far, percent: 0 at a high, otherwise negative. */
export function fallsFrom(values: readonly number[]): number[] {
  let high = -Infinity;
  return values.map((value) => {
    high = Math.max(high, value);
    return 100 * (value / high - 1);
  });
}

import {
  annualReturn,
  annualVolatility,
  drawdownsOf,
  returnsOf,
  sortinoRatio,
  TRADING_DAYS_OF_A_YEAR,
  type Drawdown,
} from '../performance/equity.ts';
import { sharpeRatio } from '../performance/sharpe.ts';

/** What an equity curve of days looks like. Fractions; ratios are of a year, against cash without interest. */
export interface EquityFigures {
  totalReturn: number;
  annualReturn: number;
  annualVolatility: number;
  /** Undefined where the equity never changes. */
  sharpe: number | undefined;
  /** Undefined where it never falls. */
  sortino: number | undefined;
  /** Deepest first. Days are indices of the curve. */
  drawdowns: Drawdown[];
}

/** @param equity at the end of each day, at least two */
export function equityFigures(equity: ArrayLike<number>): EquityFigures {
  const returns = returnsOf(equity);
  const perYear = TRADING_DAYS_OF_A_YEAR;
  return {
    totalReturn: equity[equity.length - 1]! / equity[0]! - 1,
    annualReturn: annualReturn(returns, perYear),
    annualVolatility: annualVolatility(returns, perYear),
    sharpe: defined(sharpeRatio(returns) * Math.sqrt(perYear)),
    sortino: defined(sortinoRatio(returns, perYear)),
    drawdowns: drawdownsOf(equity).toSorted((a, b) => b.depth - a.depth),
  };
}

function defined(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

/** The return of each year or month of a curve, as a fraction of the equity at the end of the one before. */
export function returnsBy(
  equity: ArrayLike<number>,
  periodOf: (day: number) => string,
): { period: string; value: number }[] {
  const found: { period: string; value: number }[] = [];
  let before = equity[0]!;
  for (let day = 0; day < equity.length; day++) {
    const period = periodOf(day);
    if (day + 1 < equity.length && periodOf(day + 1) === period) continue;
    found.push({ period, value: equity[day]! / before - 1 });
    before = equity[day]!;
  }
  return found;
}

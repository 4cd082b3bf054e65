import { returnsOf, TRADING_DAYS_OF_A_YEAR } from '../performance/equity.ts';
import { momentsOf } from '../performance/moments.ts';
import { probabilisticSharpe, sharpeRatio } from '../performance/sharpe.ts';
import {
  blockDays,
  blockResamples,
  BOOTSTRAP,
  estimates,
  type Estimate,
} from '../statistics/block-bootstrap.ts';

/** What tests say of an equity curve beside another one. Fractions. */
interface Worth {
  /** Means over all days, with their intervals. */
  excess: Estimate;
  net: Estimate;
  gross: Estimate;
  /** Sharpe ratio of the excess, of a year; undefined where it never varies, as are the next two. */
  sharpe: number | undefined;
  /** Probability that the true ratio is above 0, if this had been the only trial. */
  probabilisticSharpe: number | undefined;
  /** The same above the best ratio to expect of all trials. */
  deflatedSharpe: number | undefined;
}

interface Curves {
  /** At the end of each day, IDR. */
  equity: ArrayLike<number>;
  /** What the market came to on the same days. */
  market: ArrayLike<number>;
  /** The costs of each day, IDR. */
  costs: ArrayLike<number>;
}

/**
 * @param expectedBestSharpe the best Sharpe ratio of a year to expect of so many trials that are worth nothing
 */
export function worthOf(
  { equity, market, costs }: Curves,
  { horizonDays, expectedBestSharpe }: { horizonDays: number; expectedBestSharpe: number },
): Worth {
  const [returns, ofMarket] = [returnsOf(equity), returnsOf(market)];
  const resamples = blockResamples(returns.length, { ...BOOTSTRAP, blockLength: blockDays(horizonDays) });
  const rows = Array.from(returns, (net, day) =>
    Float64Array.of(net - ofMarket[day]!, net, net + costs[day + 1]! / equity[day]!, 1),
  );
  const byPeriod = excessByPeriod(equity, market, horizonDays);
  const perYear = Math.sqrt(TRADING_DAYS_OF_A_YEAR / horizonDays);
  const measured = { sharpe: sharpeRatio(byPeriod), ...momentsOf(byPeriod) };
  return {
    ...estimates(rows, resamples, {
      excess: ([excess, , , days]) => excess! / days!,
      net: ([, net, , days]) => net! / days!,
      gross: ([, , gross, days]) => gross! / days!,
    }),
    sharpe: defined(measured.sharpe * perYear),
    probabilisticSharpe: defined(probabilisticSharpe(measured)),
    deflatedSharpe: defined(probabilisticSharpe(measured, expectedBestSharpe / perYear)),
  };
}

/** What a curve returned more than another in each whole period as long as positions are held. The oldest days, which make none, are left out. */
function excessByPeriod(equity: ArrayLike<number>, market: ArrayLike<number>, periodDays: number): number[] {
  const last = equity.length - 1;
  const periods = Math.floor(last / periodDays);
  return Array.from({ length: periods }, (_, at) => {
    const end = last - (periods - 1 - at) * periodDays;
    const growth = (curve: ArrayLike<number>) => curve[end]! / curve[end - periodDays]!;
    return growth(equity) - growth(market);
  });
}

function defined(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

import type { Company } from './company.ts';
import type { MarketPath } from './market-path.ts';
import { VolatilityState } from './volatility-state.ts';
import type { Random } from './random.ts';

const SHOCK_DEGREES = 4;

/** What news does to a company on each day of its listing, before the rules of trading have their say. */
export interface ReturnPath {
  /** Logarithmic return of the fair price. */
  fair: Float64Array;
  /** Deviation of the company's own return on that day: how wild the day is. */
  deviation: Float64Array;
}

/** Market, sector and own shocks; the own ones fat-tailed (Student's t) and clustered. */
export function returnPath(random: Random, company: Company, path: MarketPath): ReturnPath {
  const days = company.endDay - company.firstDay;
  const volatility = new VolatilityState(random, company.clustering);
  const sector = path.sectors[company.sectorIndex]!;
  const [fair, deviation] = [new Float64Array(days), new Float64Array(days)];
  for (let i = 0; i < days; i++) {
    const day = company.firstDay + i;
    deviation[i] = company.deviation * volatility.next();
    const shared = company.beta * path.market[day]! + company.sectorBeta * sector[day]!;
    fair[i] = shared + deviation[i]! * random.studentT(SHOCK_DEGREES);
  }
  return { fair, deviation };
}

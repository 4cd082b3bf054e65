import { MeanReverting } from './mean-reverting.ts';
import { VolatilityState } from './volatility-state.ts';
import { REGIME_TRAITS, regimePath } from './market-regime.ts';
import type { Regime } from './market-regime.ts';
import { Random } from './random.ts';
import { STREAMS } from './streams.ts';

const SHOCK_DEGREES = 5;
const MARKET_CLUSTERING = 0.35;
const SECTOR_DEVIATION = 0.006;
const SECTOR_CLUSTERING = 0.3;
const ACTIVITY_PERSISTENCE = 0.9;
const ACTIVITY_DEVIATION = 0.15;

/** What all tickers share, one entry a day; returns are logarithmic. */
export interface MarketPath {
  regime: Regime[];
  market: Float64Array;
  /** By sector index. */
  sectors: Float64Array[];
  /** Logarithm of the market's turnover against its usual level. */
  activity: Float64Array;
}

export function marketPath(seed: number, days: number, sectorCount: number): MarketPath {
  const random = new Random(seed, STREAMS.market);
  const regime = regimePath(random, days);
  return {
    regime,
    market: marketReturns(random, regime),
    sectors: Array.from({ length: sectorCount }, (_, i) =>
      sectorReturns(new Random(seed, STREAMS.sector, i), days),
    ),
    activity: marketActivity(random, regime),
  };
}

function marketReturns(random: Random, regime: Regime[]): Float64Array {
  const volatility = new VolatilityState(random, MARKET_CLUSTERING);
  return Float64Array.from(regime, (name) => {
    const { drift, deviation } = REGIME_TRAITS[name];
    return drift + deviation * volatility.next() * random.studentT(SHOCK_DEGREES);
  });
}

function sectorReturns(random: Random, days: number): Float64Array {
  const volatility = new VolatilityState(random, SECTOR_CLUSTERING);
  return Float64Array.from(
    { length: days },
    () => SECTOR_DEVIATION * volatility.next() * random.studentT(SHOCK_DEGREES),
  );
}

function marketActivity(random: Random, regime: Regime[]): Float64Array {
  const mood = new MeanReverting(random, ACTIVITY_PERSISTENCE, ACTIVITY_DEVIATION);
  return Float64Array.from(regime, (name) => REGIME_TRAITS[name].activity + mood.next());
}

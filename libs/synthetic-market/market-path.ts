import { Random } from '#quant/random.ts';
import { STREAMS } from './streams.ts';

export const REGIMES = ['bull', 'sideways', 'bear'] as const;
type Regime = (typeof REGIMES)[number];

/** Mean and deviation of the daily log return, and the market's activity: logarithm of turnover relative to the usual one. */
const REGIME_TRAITS: Record<Regime, { drift: number; deviation: number; activity: number }> = {
  bull: { drift: 0.0011, deviation: 0.007, activity: 0.15 },
  sideways: { drift: 0, deviation: 0.0075, activity: -0.05 },
  bear: { drift: -0.0014, deviation: 0.0125, activity: -0.1 },
};

/** Probabilities of the next day's regime: stretches last 80, 60 and 40 days on average. */
export const REGIME_TRANSITIONS: Record<Regime, Record<Regime, number>> = {
  bull: { bull: 79 / 80, sideways: 0.75 / 80, bear: 0.25 / 80 },
  sideways: { bull: 0.5 / 60, sideways: 59 / 60, bear: 0.5 / 60 },
  bear: { bull: 0.4 / 40, sideways: 0.6 / 40, bear: 39 / 40 },
};

/** A path of the regime chain, one entry a day, starting sideways. */
export function regimePath(random: Random, days: number): Regime[] {
  const path: Regime[] = [];
  let regime: Regime = 'sideways';
  for (let day = 0; day < days; day++) {
    regime = nextRegime(random, regime);
    path.push(regime);
  }
  return path;
}

function nextRegime(random: Random, from: Regime): Regime {
  let left = random.uniform();
  for (const regime of REGIMES) {
    left -= REGIME_TRANSITIONS[from][regime];
    if (left < 0) return regime;
  }
  return from;
}

const CLUSTER_PERSISTENCE = 0.9;

/**
 * Clustered volatility: a positive factor with mean square 1, whose logarithm is a mean-reverting level
 * (Taylor's stochastic volatility model, 1986).
 */
export class VolatilityState {
  readonly #level: MeanReverting;
  readonly #centre: number;

  constructor(random: Random, deviation: number) {
    this.#level = new MeanReverting(random, CLUSTER_PERSISTENCE, deviation);
    this.#centre = deviation * deviation;
  }

  next(): number {
    return Math.exp(this.#level.next() - this.#centre);
  }
}

/**
 * A mean-reverting level (AR(1) process) that starts in its stationary state: deviation `deviation`,
 * correlation from day to day `persistence`.
 */
export class MeanReverting {
  readonly #random: Random;
  readonly #persistence: number;
  readonly #step: number;
  #level: number;

  constructor(random: Random, persistence: number, deviation: number) {
    this.#random = random;
    this.#persistence = persistence;
    this.#step = deviation * Math.sqrt(1 - persistence * persistence);
    this.#level = deviation * random.normal();
  }

  next(): number {
    this.#level = this.#persistence * this.#level + this.#step * this.#random.normal();
    return this.#level;
  }
}

const SHOCK_DEGREES = 5;
const MARKET_CLUSTERING = 0.35;
const SECTOR_DEVIATION = 0.006;
const SECTOR_CLUSTERING = 0.3;
const ACTIVITY_PERSISTENCE = 0.9;
const ACTIVITY_DEVIATION = 0.15;

/** The part that all tickers share, one entry per day. Returns are logarithmic. */
export interface MarketPath {
  regime: Regime[];
  market: Float64Array;
  /** By sector index. */
  sectors: Float64Array[];
  /** Logarithm of the market's turnover relative to its usual level. */
  activity: Float64Array;
}

export function marketPath(seed: number, days: number, sectorCount: number): MarketPath {
  const regime = regimePath(new Random(seed, STREAMS.regime), days);
  return {
    regime,
    market: marketReturns(new Random(seed, STREAMS.market), regime),
    sectors: Array.from({ length: sectorCount }, (_, i) =>
      sectorReturns(new Random(seed, STREAMS.sector, i), days),
    ),
    activity: marketActivity(new Random(seed, STREAMS.activity), regime),
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

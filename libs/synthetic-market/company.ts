import { roundToTick, type LimitRule } from '#quant/exchange/exchange.ts';
import { Random } from '#quant/random.ts';
import type { ListingPlan } from './listing-plan.ts';
import { STREAMS } from './streams.ts';

/** Points (rank, value), ranks ascending from 0 to 1. */
export type QuantileCurve = readonly (readonly [rank: number, value: number])[];

/** The value at a rank in 0..1, interpolated linearly between the points: an inverse distribution function by table. */
export function valueAt(curve: QuantileCurve, rank: number): number {
  let next = 1;
  while (next < curve.length - 1 && curve[next]![0] < rank) next++;
  const [fromRank, from] = curve[next - 1]!;
  const [toRank, to] = curve[next]!;
  return from + ((to - from) * (rank - fromRank)) / (toRank - fromRank);
}

/** The same, interpolated linearly on a logarithmic scale. Every value must be positive. */
export function logValueAt(curve: QuantileCurve, rank: number): number {
  return Math.exp(
    valueAt(
      curve.map(([r, value]) => [r, Math.log(value)] as const),
      rank,
    ),
  );
}

/** The properties of an invented company that do not change from day to day. */
export interface Company extends ListingPlan {
  rule: LimitRule;
  /** Sensitivity to the market and to its sector. */
  beta: number;
  sectorBeta: number;
  /** Standard deviation of the company's own daily log return, and the variability of that deviation. */
  deviation: number;
  clustering: number;
  /** Turnover of a usual day and of a usual trade, IDR. */
  valueIdr: number;
  valuePerTradeIdr: number;
  /** Standard deviations of the logarithm of turnover: slow moods, and daily noise. */
  moodDeviation: number;
  noiseDeviation: number;
  /** How strongly a move increases trading: logarithm of turnover per usual deviation moved. */
  moveWeight: number;
  startPrice: number;
  listedShares: number;
  /** Foreigners' usual share of turnover, the deviation of their net share, and the probability that they trade on a day. */
  foreignShare: number;
  foreignNetDeviation: number;
  foreignActiveProbability: number;
  /** Probability of a negotiated trade on a day. */
  negoProbability: number;
}

/*
 * Curves over the rank of liquidity, 0 the least and 1 the most traded, fitted by eye to the medians of
 * daily bars of the real exchange in 2022-2024.
 */
const VALUE_IDR: QuantileCurve = [
  [0, 3e5],
  [0.1, 3e6],
  [0.3, 2.5e7],
  [0.5, 8e7],
  [0.74, 4e8],
  [0.89, 7e9],
  [0.97, 9e10],
  [1, 6e11],
];
const VALUE_PER_TRADE_IDR: QuantileCurve = [
  [0, 4e5],
  [0.3, 7e5],
  [0.5, 1.3e6],
  [0.75, 2.2e6],
  [0.9, 8e6],
  [1, 3e7],
];
const DEVIATION: QuantileCurve = [
  [0, 0.03],
  [0.5, 0.031],
  [0.85, 0.03],
  [1, 0.019],
];
const MOOD_DEVIATION: QuantileCurve = [
  [0, 1.2],
  [0.75, 1.15],
  [0.9, 0.6],
  [1, 0.4],
];
const NOISE_DEVIATION: QuantileCurve = [
  [0, 1.3],
  [0.5, 0.85],
  [0.75, 0.6],
  [0.9, 0.4],
  [1, 0.3],
];
const START_PRICE: QuantileCurve = [
  [0, 220],
  [0.8, 220],
  [0.9, 1_100],
  [1, 3_500],
];
const FOREIGN_SHARE: QuantileCurve = [
  [0, 0.005],
  [0.5, 0.01],
  [0.75, 0.025],
  [0.9, 0.1],
  [1, 0.38],
];
const FOREIGN_NET_DEVIATION: QuantileCurve = [
  [0, 0.35],
  [0.5, 0.28],
  [0.75, 0.2],
  [1, 0.2],
];
const FOREIGN_ACTIVE_PROBABILITY: QuantileCurve = [
  [0, 0.1],
  [0.5, 0.2],
  [0.75, 0.4],
  [0.9, 0.9],
  [1, 1],
];
const NEGO_PROBABILITY: QuantileCurve = [
  [0, 0.02],
  [0.5, 0.03],
  [0.75, 0.08],
  [0.9, 0.45],
  [1, 0.95],
];

const START_PRICE_BOUNDS = [54, 45_000] as const;

export function company(seed: number, plan: ListingPlan): Company {
  const random = new Random(seed, STREAMS.company, plan.index);
  const { liquidityRank: rank } = plan;
  const rule: LimitRule =
    plan.board === 'Akselerasi' || plan.board === 'Pemantauan Khusus' ? 'special' : 'regular';
  const valueIdr = logValueAt(VALUE_IDR, rank);
  const startPrice = startPriceOf(random, plan);
  const foreignShare = clamp(valueAt(FOREIGN_SHARE, rank) * spread(random, 0.7), 0.001, 0.6);
  return {
    ...plan,
    rule,
    beta: clamp(0.4 + 0.7 * rank + 0.25 * random.normal(), 0, 2),
    sectorBeta: clamp(1 + 0.3 * random.normal(), 0, 2),
    deviation: clamp(valueAt(DEVIATION, rank) * spread(random, 0.35), 0.008, 0.07),
    clustering: random.between(0.85, 1.1) * (0.85 - 0.3 * rank),
    valueIdr,
    valuePerTradeIdr: logValueAt(VALUE_PER_TRADE_IDR, rank) * spread(random, 0.4),
    moodDeviation: valueAt(MOOD_DEVIATION, rank),
    noiseDeviation: valueAt(NOISE_DEVIATION, rank),
    moveWeight: 0.9 - 0.4 * rank,
    startPrice,
    listedShares: sharesFor(random, valueIdr, startPrice),
    foreignShare,
    foreignNetDeviation: valueAt(FOREIGN_NET_DEVIATION, rank),
    foreignActiveProbability: valueAt(FOREIGN_ACTIVE_PROBABILITY, rank),
    negoProbability: valueAt(NEGO_PROBABILITY, rank),
  };
}

function startPriceOf(random: Random, { liquidityRank }: ListingPlan): number {
  const price = logValueAt(START_PRICE, liquidityRank) * spread(random, 0.95);
  return roundToTick(clamp(price, ...START_PRICE_BOUNDS));
}

/** Whole millions of shares; the market value is hundreds of days' turnover, at least 50 billion IDR. */
function sharesFor(random: Random, valueIdr: number, priceIdr: number): number {
  const marketValueIdr = Math.max(5e10 * spread(random, 0.8), valueIdr * 400 * spread(random, 1));
  return Math.ceil(marketValueIdr / priceIdr / 1e6) * 1e6;
}

/** A lognormal factor with median 1. */
function spread(random: Random, deviation: number): number {
  return Math.exp(deviation * random.normal());
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

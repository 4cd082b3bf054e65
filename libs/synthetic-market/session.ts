import { LOT_SHARES, roundToTick, type PriceLimits } from '#quant/exchange/exchange.ts';
import type { Random } from '#quant/random.ts';
import type { Company } from './company.ts';
import { MeanReverting, VolatilityState, type MarketPath } from './market-path.ts';

/** A day on the regular market: prices in IDR on ticks, volume in shares in whole lots, value in IDR. */
export interface Session {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  value: number;
  frequency: number;
}

interface SessionInput {
  previous: number;
  /** The price without ticks and limits. */
  fairPrice: number;
  /** Usual standard deviation of the day's logarithmic return. */
  deviation: number;
  limits: PriceLimits;
  turnoverIdr: number;
  valuePerTradeIdr: number;
  sharesMax: number;
  mustTrade: boolean;
}

const MANY_TRADES = 30;
const EXTREME_REACH = 0.58;
/** A day with fewer trades does not show its whole range. */
const TRADES_FOR_FULL_RANGE = 40;

/** One day of trading, or null without trades. */
export function trade(random: Random, input: SessionInput): Session | null {
  const trades = Math.max(tradeCount(random, input), input.mustTrade ? 1 : 0);
  if (trades === 0) return null;
  const prices = dayPrices(random, input, trades);
  const lots = Math.round(input.turnoverIdr / (prices.close * LOT_SHARES));
  const volume = Math.min(Math.max(lots, trades), Math.floor(input.sharesMax / LOT_SHARES)) * LOT_SHARES;
  return {
    ...prices,
    volume,
    value: valueBetween(random, prices, volume),
    frequency: Math.min(trades, volume / LOT_SHARES),
  };
}

function tradeCount(random: Random, { turnoverIdr, valuePerTradeIdr }: SessionInput): number {
  const expected = turnoverIdr / valuePerTradeIdr;
  if (expected < MANY_TRADES) return random.poisson(expected);
  return Math.round(expected * Math.exp(0.15 * random.normal()));
}

function dayPrices(
  random: Random,
  input: SessionInput,
  trades: number,
): { open: number; high: number; low: number; close: number } {
  const { previous, fairPrice, deviation, limits } = input;
  const within = (price: number) => Math.min(limits.upper, Math.max(limits.lower, price));
  const close = within(roundToTick(fairPrice));
  if (trades === 1) return { open: close, high: close, low: close, close };
  const reach = EXTREME_REACH * deviation * Math.min(1, Math.sqrt(trades / TRADES_FOR_FULL_RANGE));
  const gap = 0.3 * Math.log(fairPrice / previous) + 0.35 * reach * random.normal();
  const open = within(roundToTick(previous * Math.exp(gap)));
  return {
    open,
    high: Math.max(
      open,
      close,
      within(roundToTick(Math.max(open, close) * Math.exp(stretch(random, reach)))),
    ),
    low: Math.min(
      open,
      close,
      within(roundToTick(Math.min(open, close) * Math.exp(-stretch(random, reach)))),
    ),
    close,
  };
}

/** How far the day's range extends beyond open and close: exponential, capped so that one draw cannot dominate the day. */
function stretch(random: Random, mean: number): number {
  return Math.min(4 * mean, -mean * Math.log(random.uniform()));
}

/** The value of whole lots at an average price between low and high, closer to their middle. */
function valueBetween(random: Random, { low, high }: { low: number; high: number }, volume: number): number {
  const place = (random.uniform() + random.uniform() + random.uniform()) / 3;
  return Math.round((low + (high - low) * place) * (volume / LOT_SHARES)) * LOT_SHARES;
}

const SHOCK_DEGREES = 4;
/**
 * The part that a model can learn, about as strong as on the real market: half of a drift is left after 23 days. In usual
 * deviations of the company's own return.
 */
const DRIFT_PERSISTENCE = 0.97;
const DRIFT_DEVIATION = 0.11;

/** The effect of news on a company on each day of its listing, before trading rules apply. */
export interface ReturnPath {
  /** Logarithmic return of the fair price. */
  fair: Float64Array;
  /** The part of the return that persists for weeks, in usual deviations of the company's own return. */
  drift: Float64Array;
  /** Standard deviation of the company's own return on that day. */
  deviation: Float64Array;
}

/** Sum of market, sector, drift and own shocks. Own shocks are fat-tailed (Student's t) and clustered. */
export function returnPath(
  random: Random,
  driftRandom: Random,
  company: Company,
  path: MarketPath,
): ReturnPath {
  const days = company.endDay - company.firstDay;
  const volatility = new VolatilityState(random, company.clustering);
  const level = new MeanReverting(driftRandom, DRIFT_PERSISTENCE, DRIFT_DEVIATION);
  const sector = path.sectors[company.sectorIndex]!;
  const [fair, drift, deviation] = [new Float64Array(days), new Float64Array(days), new Float64Array(days)];
  for (let i = 0; i < days; i++) {
    const day = company.firstDay + i;
    drift[i] = level.next();
    deviation[i] = company.deviation * volatility.next();
    const shared = company.beta * path.market[day]! + company.sectorBeta * sector[day]!;
    const own = drift[i]! * company.deviation + deviation[i]! * random.studentT(SHOCK_DEGREES);
    fair[i] = shared + own;
  }
  return { fair, drift, deviation };
}

import { sma, volumeRatio } from '../indicators/moving-averages.ts';
import { rsi } from '../indicators/oscillators.ts';
import type { Panel } from '../panel/panel.ts';
import { tradedSeries, type TradedSeries } from '../panel/traded-series.ts';
import { foreignNetValue, sumOverDays } from '../panel/windows.ts';
import { LIQUID_VALUE_IDR } from '../universe/liquidity.ts';

/**
 * What speaks for a turn, and how many points it gives: positive where a fall may end, negative where a rise may. The
 * parts of flows need foreign trades (every dataset has them) or per-broker rows (`smart_money_…`, `retail_…`).
 *
 * Source: the project's own description of exhausted moves. Of liquid IDX stock-days of December 2019 to June 2024
 * (lookback 10, close of 100 and more, without brokers' parts) 5.7 % score -2 or lower and 15.1 % 2 or higher, and the 20
 * days that follow are no better after high scores than after low ones: the score describes, it does not forecast.
 */
export const PART_POINTS = {
  /** Rose at least 15 % over the lookback. */
  rally: -1,
  /** Within 3 % of the 60-bar high after a rise of at least 10 % over the lookback. */
  near_high: -1,
  /** Foreign investors sold, net, enough to matter; see {@link leastFlow}. */
  foreign_selling: -1,
  /** Foreigners and local institutions sold, net, enough to matter while the price rose. */
  smart_money_selling: -2,
  /** Retail brokers bought, net, enough to matter while the price rose. */
  retail_buying: -1,
  /** Volume of at least twice its average on a falling day that reached within 3 % of the 60-bar high. */
  heavy_red_day: -1,
  /** RSI above 75. Counts once together with a bearish divergence. */
  overbought: -1,
  /** A higher high in closes with a lower RSI. */
  bearish_divergence: -1,
  /** Fell at least 10 % over the lookback. */
  fall: 1,
  /** At least 25 % below the 60-bar high. */
  far_below_high: 1,
  /** Foreign investors bought, net, enough to matter. */
  foreign_buying: 1,
  /** Foreigners and local institutions bought, net, enough to matter while the price fell. */
  smart_money_buying: 2,
  /** Retail brokers sold, net, enough to matter while the price fell. */
  retail_selling: 1,
  /** Volume of at least twice its average on a rising day that reached within 3 % of the 60-bar low. */
  heavy_green_day: 1,
  /** RSI under 30 on the bar before, and rising since. Counts once together with a bullish divergence. */
  oversold_turning: 1,
  /** A lower low in closes with a higher RSI. */
  bullish_divergence: 1,
  /** MA5 rose above MA20 within the last bars. */
  ma_cross_up: 1,
} as const satisfies Record<string, number>;

export type PartKind = keyof typeof PART_POINTS;

/** A part that holds, with the number that says how much. */
export interface TurningPart {
  kind: PartKind;
  /**
   * rally, fall: percent since the start of the lookback; near_high, far_below_high: percent against the 60-bar
   * high, not positive; flows: net IDR; heavy days: volume as a multiple of its average; overbought to
   * bullish_divergence: RSI of the last bar; ma_cross_up: MA5 against MA20, percent.
   */
  amount: number;
}

export function pointsOf({ kind }: TurningPart): number {
  return PART_POINTS[kind];
}

/** What the parts of a score are read from, all as of one day. */
export interface TurningView {
  series: TradedSeries;
  lookback: number;
  /** Newest bars in which an event (a heavy day, a crossing, a fresh extreme) still counts. */
  recentBars: number;
  /** Return over `lookback` bars, percent; null where history is shorter. */
  retPct: number | null;
  /** Highest high and lowest low of the last 60 bars, IDR; null where history is shorter. */
  high60: number | null;
  low60: number | null;
  /** Last close against high60, percent, not positive. */
  fromHighPct: number | null;
  /** Over the last `lookback` exchange days, IDR. */
  foreignNetValue: number;
  tradedValue: number;
}

const RANGE_BARS = 60;
/**
 * The longest lookback and the 60 bars before it, led in by so many that Wilder's averages have forgotten where they
 * began: (13/14)^280 is under 1e-9.
 */
const SERIES_BARS = 60 + RANGE_BARS + 280;
/** An event is news for a week; a shorter lookback sees a shorter past. */
const MAX_RECENT_BARS = 5;

export function turningView(panel: Panel, ticker: number, asOfDay: number, lookback: number): TurningView {
  const series = tradedSeries(panel, ticker, asOfDay, SERIES_BARS);
  const range = rangeOf(series);
  const amount = (amountOf: (row: number) => number) =>
    sumOverDays(panel, ticker, asOfDay, lookback, amountOf);
  return {
    series,
    lookback,
    recentBars: Math.min(lookback, MAX_RECENT_BARS),
    retPct: returnPct(series, lookback),
    high60: range?.high ?? null,
    low60: range?.low ?? null,
    fromHighPct: range ? 100 * (series.close.at(-1)! / range.high - 1) : null,
    foreignNetValue: amount((row) => foreignNetValue(panel, row)),
    tradedValue: amount((row) => panel.columns.value[row]!),
  };
}

/** Return over the last `bars` bars, percent; null where there are no more than that many. */
export function returnPct({ close }: TradedSeries, bars: number): number | null {
  const last = close.length - 1;
  return last < bars ? null : 100 * (close[last]! / close[last - bars]! - 1);
}

function rangeOf({ high, low }: TradedSeries): { high: number; low: number } | null {
  if (high.length < RANGE_BARS) return null;
  return { high: Math.max(...high.subarray(-RANGE_BARS)), low: Math.min(...low.subarray(-RANGE_BARS)) };
}

const RALLY_PCT = 15;
const RUN_PCT = 10;
const NEAR_HIGH_PCT = -3;
const FALL_PCT = -10;
const FAR_BELOW_HIGH_PCT = -25;

/** What the price alone says: how far it went over the lookback, and where it stands in its 60 bars. */
export function priceParts({ retPct, fromHighPct }: TurningView): TurningPart[] {
  const parts: TurningPart[] = [];
  if (retPct !== null && retPct >= RALLY_PCT) parts.push({ kind: 'rally', amount: retPct });
  if (retPct !== null && retPct <= FALL_PCT) parts.push({ kind: 'fall', amount: retPct });
  if (fromHighPct === null) return parts;
  if (retPct !== null && retPct >= RUN_PCT && fromHighPct >= NEAR_HIGH_PCT) {
    parts.push({ kind: 'near_high', amount: fromHighPct });
  }
  if (fromHighPct <= FAR_BELOW_HIGH_PCT) parts.push({ kind: 'far_below_high', amount: fromHighPct });
  return parts;
}

const OVERBOUGHT = 75;
const OVERSOLD = 30;
/** Differences below this part of the price are rounding: without it, flat prices would "cross". */
const RELATIVE_TOLERANCE = 1e-9;

/** What RSI(14) and the crossing of MA5 and MA20 say. */
export function momentumParts(view: TurningView): TurningPart[] {
  const index = rsi(view.series.close);
  const [now, before] = [index.at(-1) ?? NaN, index.at(-2) ?? NaN];
  const turn = divergence(view.series.close, index, view);
  const parts: TurningPart[] = [];
  if (now > OVERBOUGHT) parts.push({ kind: 'overbought', amount: now });
  else if (turn === 'bearish') parts.push({ kind: 'bearish_divergence', amount: now });
  if (before < OVERSOLD && now > before) parts.push({ kind: 'oversold_turning', amount: now });
  else if (turn === 'bullish') parts.push({ kind: 'bullish_divergence', amount: now });
  const spreadPct = crossedUpPct(view);
  if (spreadPct !== null) parts.push({ kind: 'ma_cross_up', amount: spreadPct });
  return parts;
}

/** MA5 against MA20 on the last bar in percent, when it crossed above within the recent bars and still is. */
function crossedUpPct({ series: { close }, recentBars }: TurningView): number | null {
  const [ma5, ma20] = [sma(close, 5), sma(close, 20)];
  const isAbove = (bar: number) => ma5[bar]! > ma20[bar]! * (1 + RELATIVE_TOLERANCE);
  const last = close.length - 1;
  if (!isAbove(last)) return null;
  for (let bar = last - 1; bar >= last - recentBars; bar--) {
    if (ma5[bar]! <= ma20[bar]! * (1 + RELATIVE_TOLERANCE)) return 100 * (ma5[last]! / ma20[last]! - 1);
  }
  return null;
}

/** Bars before the lookback among which the earlier extreme is looked for. */
const EARLIER_BARS = 60;

/**
 * Whether price and momentum disagree at a fresh extreme (Wilder 1978 calls it failure to confirm):
 * - bearish: the highest close of the last `lookback` bars is among the `recentBars` newest and above the highest of
 *   the 60 bars before the lookback, while RSI was lower at it than at that one;
 * - bullish: the same with the lowest closes, RSI higher.
 * null otherwise, and where the closes before the lookback are fewer than 60. `rsi` is as long as `close`.
 */
export function divergence(
  close: Float64Array,
  rsi: Float64Array,
  { lookback, recentBars }: { lookback: number; recentBars: number },
): 'bearish' | 'bullish' | null {
  const start = close.length - lookback;
  if (start < EARLIER_BARS) return null;
  for (const [sign, name] of [[1, 'bearish'] as const, [-1, 'bullish'] as const]) {
    const earlier = extreme(close, start - EARLIER_BARS, start, sign);
    const fresh = extreme(close, start, close.length, sign);
    const isFresh = fresh >= close.length - recentBars;
    const goesFurther = sign * (close[fresh]! - close[earlier]!) > 0;
    if (isFresh && goesFurther && sign * (rsi[earlier]! - rsi[fresh]!) > 0) return name;
  }
  return null;
}

/** Bar of the highest (sign 1) or lowest (-1) close in [from, to); the newest of equal ones. */
function extreme(close: Float64Array, from: number, to: number, sign: 1 | -1): number {
  let found = from;
  for (let bar = from + 1; bar < to; bar++) if (sign * (close[bar]! - close[found]!) >= 0) found = bar;
  return found;
}

const HEAVY_RATIO = 2;
const AVERAGE_BARS = 20;
/** How near, as a fraction, a day must have come to the extreme of 60 bars. */
const REACH = 0.03;

/** The newest of the recent days on which volume was heavy and the price turned away from its 60-bar extreme. */
export function volumeParts({ series, recentBars, high60, low60 }: TurningView): TurningPart[] {
  if (high60 === null || low60 === null) return [];
  const { high, low, close } = series;
  const ratio = volumeRatio(series.volume, AVERAGE_BARS);
  const newest = (isTurn: (bar: number) => boolean) => {
    const last = close.length - 1;
    for (let bar = last; bar > last - recentBars; bar--) {
      if (ratio[bar]! >= HEAVY_RATIO && isTurn(bar)) return bar;
    }
    return -1;
  };
  const red = newest((bar) => close[bar]! < close[bar - 1]! && high[bar]! >= high60 * (1 - REACH));
  const green = newest((bar) => close[bar]! > close[bar - 1]! && low[bar]! <= low60 * (1 + REACH));
  const parts: TurningPart[] = [];
  if (red >= 0) parts.push({ kind: 'heavy_red_day', amount: ratio[red]! });
  if (green >= 0) parts.push({ kind: 'heavy_green_day', amount: ratio[green]! });
  return parts;
}

/** Net buying over the lookback in IDR, from per-broker rows. */
export interface BrokerFlows {
  bandarNetValue: number;
  retailNetValue: number;
}

const FLOW_SHARE = 0.05;

/**
 * Net value, IDR, from which a flow matters: 5 % of what was traded over the lookback, and of no less than a liquid
 * stock trades. Without that floor half a million rupiah are smart money in a stock that trades ten million. Of the
 * flows of foreign investors that reach 5 % on IDX the floor leaves out a third, of those in liquid stocks 1 %.
 */
export function leastFlow({ tradedValue, lookback }: Pick<TurningView, 'tradedValue' | 'lookback'>): number {
  return FLOW_SHARE * Math.max(tradedValue, lookback * LIQUID_VALUE_IDR);
}

/** What investors did over the lookback. Without per-broker rows only the foreign part is known. */
export function flowParts(view: TurningView, broker?: BrokerFlows): TurningPart[] {
  const { foreignNetValue, retPct } = view;
  const least = leastFlow(view);
  const parts: TurningPart[] = [];
  if (foreignNetValue <= -least) parts.push({ kind: 'foreign_selling', amount: foreignNetValue });
  if (foreignNetValue >= least) parts.push({ kind: 'foreign_buying', amount: foreignNetValue });
  if (!broker || retPct === null || retPct === 0) return parts;
  const smartMoney = foreignNetValue + broker.bandarNetValue;
  const retail = broker.retailNetValue;
  const isRising = retPct > 0;
  if (isRising && smartMoney <= -least) parts.push({ kind: 'smart_money_selling', amount: smartMoney });
  if (!isRising && smartMoney >= least) parts.push({ kind: 'smart_money_buying', amount: smartMoney });
  if (isRising && retail >= least) parts.push({ kind: 'retail_buying', amount: retail });
  if (!isRising && retail <= -least) parts.push({ kind: 'retail_selling', amount: retail });
  return parts;
}

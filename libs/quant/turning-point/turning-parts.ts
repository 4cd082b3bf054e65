import { sma, volumeRatio } from '../indicators/moving-averages.ts';
import { priceMove, relativeMove } from '../price-move.ts';
import { rsi } from '../indicators/oscillators.ts';
import { newestGap, reachesAcross } from '../panel/gaps.ts';
import type { Panel } from '../panel/panel.ts';
import { firstAtLeast } from '../panel/ranges.ts';
import { tradedSeries, type TradedSeries } from '../panel/traded-series.ts';
import { withoutMixed } from '../panel/unknown-shares.ts';
import { foreignNetValue, sumOverDays } from '../panel/windows.ts';
import { LIQUID_VALUE_IDR } from '../universe/liquidity.ts';

/**
 * The signs of a turn and their points: positive where a fall may end, negative where a rise may end. The flow parts need
 * foreign trades (`foreign_…`, `smart_money_…`) or per-broker rows (`smart_money_…`, `retail_…`); what is unknown gives no points.
 *
 * Source: the project's own description of exhausted moves. Of liquid IDX stock-days of December 2019 to June 2024 (lookback
 * 10, close of at least 100, without broker parts) 5.7 % score -2 or lower and 15.1 % score 2 or higher. The following 20
 * days are no better after high scores than after low ones: the score describes, it does not forecast.
 */
export const PART_POINTS = {
  /** Rose at least 15 % over the lookback. */
  rally: -1,
  /** Within 3 % of the 60-bar high after a rise of at least 10 % over the lookback. */
  near_high: -1,
  /** Foreign investors were net sellers by enough to matter; see {@link leastFlow}. */
  foreign_selling: -1,
  /** Foreigners and local institutions were net sellers by enough to matter while the price rose. */
  smart_money_selling: -2,
  /** Retail brokers were net buyers by enough to matter while the price rose. */
  retail_buying: -1,
  /** Volume of at least twice its average on a falling day that reached within 3 % of the 60-bar high. */
  heavy_red_day: -1,
  /** RSI above 75. Counts only once together with a bearish divergence. */
  overbought: -1,
  /** A higher high in closes with a lower RSI. */
  bearish_divergence: -1,
  /** Fell at least 10 % over the lookback. */
  fall: 1,
  /** At least 25 % below the 60-bar high. */
  far_below_high: 1,
  /** Foreign trades of the lookback are not fully known. */
  foreign_unknown: 0,
  /** Foreign investors were net buyers by enough to matter. */
  foreign_buying: 1,
  /** Foreigners and local institutions were net buyers by enough to matter while the price fell. */
  smart_money_buying: 2,
  /** Retail brokers were net sellers by enough to matter while the price fell. */
  retail_selling: 1,
  /** Volume of at least twice its average on a rising day that reached within 3 % of the 60-bar low. */
  heavy_green_day: 1,
  /** RSI below 30 on the previous bar, and rising since. Counts only once together with a bullish divergence. */
  oversold_turning: 1,
  /** A lower low in closes with a higher RSI. */
  bullish_divergence: 1,
  /** MA5 crossed above MA20 within the recent bars. */
  ma_cross_up: 1,
} as const satisfies Record<string, number>;

export type PartKind = keyof typeof PART_POINTS;

/** A part that applies, with a number that shows how strongly. */
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

/** Inputs for the parts of a score, all as of one day. */
export interface TurningView {
  series: TradedSeries;
  lookback: number;
  /** Number of newest bars in which an event (a heavy day, a crossing, a fresh extreme) still counts. */
  recentBars: number;
  /** Return over `lookback` bars, percent; null when history is shorter. */
  retPct: number | null;
  /** Highest high and lowest low of the last 60 bars, IDR; null when history is shorter. */
  high60: number | null;
  low60: number | null;
  /** Last close against high60, percent, not positive. */
  fromHighPct: number | null;
  /** Sums over the last `lookback` exchange days, IDR; the first is NaN across missing days, and where no source says it of one. */
  foreignNetValue: number;
  tradedValue: number;
}

const RANGE_BARS = 60;
/**
 * Bars read: the longest lookback, the 60 bars before it, and 280 more, after which the starting value of Wilder's averages
 * no longer matters: (13/14)^280 is below 1e-9.
 */
const SERIES_BARS = 60 + RANGE_BARS + 280;
/** An event counts for a week, or for the lookback when that is shorter. */
const MAX_RECENT_BARS = 5;

/** Bars before missing days are left out, like those before a listing, so that no part reaches across. */
export function turningView(panel: Panel, ticker: number, asOfDay: number, lookback: number): TurningView {
  const all = tradedSeries(panel, ticker, asOfDay, SERIES_BARS);
  const behind = all.day.length - firstAtLeast(all.day, newestGap(panel, asOfDay));
  const series = behind < all.day.length ? tradedSeries(panel, ticker, asOfDay, behind) : all;
  const money = { firstDay: asOfDay + 1 - lookback, lastDay: asOfDay };
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
    fromHighPct: range ? 100 * relativeMove(range.high, series.close.at(-1)!) : null,
    foreignNetValue: reachesAcross(panel, money) ? NaN : amount((row) => foreignNetValue(panel, row)),
    tradedValue: amount((row) => panel.columns.value[row]!),
  };
}

/** Return over the last `bars` bars, percent; null when there are not more bars than that. */
export function returnPct({ close }: TradedSeries, bars: number): number | null {
  const last = close.length - 1;
  return last < bars ? null : 100 * relativeMove(close[last - bars]!, close[last]!);
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

/** Parts from the price alone: its move over the lookback, and its position in the range of the last 60 bars. */
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

/** Parts from RSI(14) and from the crossing of MA5 and MA20. */
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

/** MA5 against MA20 on the last bar, percent. Null unless MA5 crossed above MA20 within the recent bars and is still above. */
function crossedUpPct({ series: { close }, recentBars }: TurningView): number | null {
  const [ma5, ma20] = [sma(close, 5), sma(close, 20)];
  const spread = (bar: number) => relativeMove(ma20[bar]!, ma5[bar]!);
  const last = close.length - 1;
  if (!(spread(last) > 0)) return null;
  for (let bar = last - 1; bar >= last - recentBars; bar--) {
    if (spread(bar) <= 0) return 100 * spread(last);
  }
  return null;
}

/** Number of bars before the lookback that are searched for the earlier extreme. */
const EARLIER_BARS = 60;

/**
 * Whether price and momentum disagree at a fresh extreme (Wilder 1978 calls it failure to confirm):
 * - bearish: the highest close of the last `lookback` bars is among the `recentBars` newest and above the highest of the 60
 *   bars before the lookback, but RSI was lower at it than at that earlier high;
 * - bullish: the same with the lowest closes, and RSI higher.
 *
 * Null otherwise, and when there are fewer than 60 closes before the lookback. `rsi` is as long as `close`.
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
    const goesFurther = sign * relativeMove(close[earlier]!, close[fresh]!) > 0;
    if (isFresh && goesFurther && sign * (rsi[earlier]! - rsi[fresh]!) > 0) return name;
  }
  return null;
}

/** Bar of the highest (sign 1) or lowest (-1) close in [from, to); on ties, the newest. */
function extreme(close: Float64Array, from: number, to: number, sign: 1 | -1): number {
  let found = from;
  for (let bar = from + 1; bar < to; bar++) if (sign * (close[bar]! - close[found]!) >= 0) found = bar;
  return found;
}

const HEAVY_RATIO = 2;
const AVERAGE_BARS = 20;
/** Maximum distance of a day's high (low) from the 60-bar high (low), as a fraction. */
const REACH = 0.03;

/** The newest recent days on which volume was heavy and the price turned away from its 60-bar high or low. */
export function volumeParts({ series, recentBars, high60, low60 }: TurningView): TurningPart[] {
  if (high60 === null || low60 === null) return [];
  const { high, low, close } = series;
  const ratio = withoutMixed(volumeRatio(series.volume, AVERAGE_BARS), series.unknown, AVERAGE_BARS);
  const newest = (isTurn: (bar: number) => boolean) => {
    const last = close.length - 1;
    for (let bar = last; bar > last - recentBars; bar--) {
      if (ratio[bar]! >= HEAVY_RATIO && isTurn(bar)) return bar;
    }
    return -1;
  };
  const moveOf = (bar: number) => priceMove(close[bar - 1]!, close[bar]!);
  const red = newest((bar) => moveOf(bar) < 0 && high[bar]! >= high60 * (1 - REACH));
  const green = newest((bar) => moveOf(bar) > 0 && low[bar]! <= low60 * (1 + REACH));
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
 * Minimum net value, IDR, for a flow to matter: 5 % of the value traded over the lookback, or of what a barely liquid stock
 * trades if that is more. Without that floor, half a million rupiah would count as smart money in a stock that trades ten
 * million. Of the foreign flows that reach 5 % on IDX, the floor excludes a third; of those in liquid stocks, 1 %.
 */
export function leastFlow({ tradedValue, lookback }: Pick<TurningView, 'tradedValue' | 'lookback'>): number {
  return FLOW_SHARE * Math.max(tradedValue, lookback * LIQUID_VALUE_IDR);
}

/** Parts from the flows of investors over the lookback. Without per-broker rows only the foreign part is known. */
export function flowParts(view: TurningView, broker?: BrokerFlows): TurningPart[] {
  const { foreignNetValue, retPct } = view;
  const least = leastFlow(view);
  const parts: TurningPart[] = [];
  if (foreignNetValue <= -least) parts.push({ kind: 'foreign_selling', amount: foreignNetValue });
  if (foreignNetValue >= least) parts.push({ kind: 'foreign_buying', amount: foreignNetValue });
  if (Number.isNaN(foreignNetValue)) parts.push({ kind: 'foreign_unknown', amount: 0 });
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

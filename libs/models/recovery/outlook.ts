import type { PositionOutlook, PriceLevel } from './result.ts';
import { ceilToTick, floorPrice, floorToTick, REGULAR_FLOOR_IDR } from '#quant/exchange/exchange.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { AnalogLevels, type AnalogLibrary } from '#quant/recovery/analogs.ts';
import { swingLow, type ForwardPaths } from '#quant/recovery/forward-path.ts';
import {
  aboveFloor,
  bucketCutsPct,
  directionOf,
  outlookOf,
  trajectoryOf,
} from '#quant/recovery/trajectory.ts';
import { toDecimals } from '#foundation/rounded.ts';
import type { Forecast } from './learning.ts';
import { reasonOf, type Reservations } from './position-reason.ts';
import type { HeldPosition } from './positions.ts';

/** The market of the analysed day, and the past rows that show how similar stocks moved. */
interface RecoveryMarket {
  panel: Panel;
  /** Calendar index of the analysed day. */
  day: number;
  horizonDays: number;
  paths: ForwardPaths;
  analogs: AnalogLibrary;
  /** Whether forecasts of unseen days were measured, and better than climatology. */
  isSkilled: boolean;
  /** Share of stock-days near the floor of the regular board that ended below it. */
  shareBelowFloor: number;
}

const SWING_BARS = 20;

/**
 * What a forecast means for a position. `restore_target` is the price that one in four similar paths exceeds within the
 * horizon, and for a loser at most its average price. `exit_window` is when similar paths reach it.
 */
export function positionOutlook(
  position: HeldPosition,
  { chances: asTrained, volatility }: Forecast,
  market: RecoveryMarket,
): PositionOutlook {
  const { code, ticker, price, pnlPct, avgPrice, bucket } = position;
  const { panel, day, horizonDays, paths, analogs } = market;
  const floor = floorPrice(price);
  const lowestPct = 100 * (floor / price - 1);
  // Nothing trades below the floor of the special boards.
  const passing = floor === REGULAR_FLOOR_IDR ? market.shareBelowFloor : 0;
  const chances = aboveFloor(asTrained, lowestPct, bucketCutsPct(horizonDays), passing);
  const trajectory = trajectoryOf(chances);
  const probabilities = directionOf(trajectory);
  const isoDate = panel.columns.dates[day]!;
  const requested = { price, isoDate, horizonDays };
  const levels = new AnalogLevels(analogs.like(volatility, chances), paths, requested);
  const target = bucket === 'loser' ? Math.min(avgPrice, levels.reach) : levels.reach;
  const support = levels.support(swingLow(panel, ticker, day, SWING_BARS));
  const figures = {
    ticker: code,
    pnl_pct: pnlPct,
    current_price: price,
    avg_price: avgPrice,
    outlook: outlookOf(probabilities),
    bucket,
    restore_target: { ...levelOf(target, price), tick_price: ceilToTick(target, isoDate) },
    support_level: { ...levelOf(support, price), tick_price: Math.max(floor, floorToTick(support, isoDate)) },
    exit_window: levels.daysTo(target),
    probabilities,
    trajectory,
  };
  return { ...figures, reason: reasonOf(figures, horizonDays, reservationsOf(position, market)) };
}

function reservationsOf(
  { lastTradedDay, judgedDay }: HeldPosition,
  { panel, day, isSkilled }: RecoveryMarket,
): Reservations {
  const { dates } = panel.columns;
  return {
    idleSince: lastTradedDay < day ? dates[lastTradedDay] : undefined,
    judgedOn: judgedDay < day ? dates[judgedDay] : undefined,
    isSkilled,
  };
}

function levelOf(level: number, price: number): Omit<PriceLevel, 'tick_price'> {
  return { price: toDecimals(level, 2), change_pct: toDecimals(100 * (level / price - 1), 2) };
}

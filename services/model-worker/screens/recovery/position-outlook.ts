import type { Panel } from '#quant/panel/panel.ts';
import type { AnalogLibrary } from '#quant/recovery/analogs.ts';
import type { ForwardPaths } from '#quant/recovery/forward-path.ts';
import { AnalogLevels, type DayWindow } from '#quant/recovery/price-levels.ts';
import { swingLow } from '#quant/recovery/swing-low.ts';
import {
  directionOf,
  outlookOf,
  trajectoryOf,
  type Direction,
  type Outlook,
  type Trajectory,
} from '#quant/recovery/trajectory.ts';
import { rounded } from '../display.ts';
import type { HeldPosition } from './held-positions.ts';
import type { Forecast } from './learn-recovery.ts';
import { reasonOf, type Reservations } from './position-reason.ts';
import type { PnlBucket } from './position-price.ts';

export interface PriceLevel {
  /** IDR. */
  price: number;
  /** Against the current price, percent, two decimals. */
  change_pct: number;
}

/** A position in the contract's fields. */
export interface PositionOutlook {
  ticker: string;
  pnl_pct: number;
  current_price: number;
  avg_price: number;
  outlook: Outlook;
  bucket: PnlBucket;
  reason: string;
  restore_target: PriceLevel;
  support_level: PriceLevel;
  exit_window: DayWindow;
  probabilities: Direction;
  trajectory: Trajectory;
}

/** The market of the analysed day, and the past rows to be asked what a stock of that day may do. */
export interface RecoveryMarket {
  panel: Panel;
  /** Calendar index of the analysed day. */
  day: number;
  horizonDays: number;
  paths: ForwardPaths;
  analogs: AnalogLibrary;
  /** Whether forecasts of days not learnt from were better than climatology. */
  isSkilled: boolean;
}

const SWING_BARS = 20;

/**
 * What a forecast means for a position. `restore_target` is the price that one like path in four goes beyond within
 * the horizon, and for a loser no more than its own average price; `exit_window` is when like paths get there.
 */
export function positionOutlook(
  position: HeldPosition,
  { chances, volatility }: Forecast,
  market: RecoveryMarket,
): PositionOutlook {
  const { code, ticker, price, pnlPct, avgPrice, bucket } = position;
  const { panel, day, horizonDays, paths, analogs } = market;
  const trajectory = trajectoryOf(chances);
  const probabilities = directionOf(trajectory);
  const levels = new AnalogLevels(analogs.like(volatility, chances), paths, price, horizonDays);
  const target = bucket === 'loser' ? Math.min(avgPrice, levels.reach) : levels.reach;
  const support = levels.support(swingLow(panel, ticker, day, SWING_BARS));
  const told = {
    ticker: code,
    pnl_pct: pnlPct,
    current_price: price,
    avg_price: avgPrice,
    outlook: outlookOf(probabilities),
    bucket,
    restore_target: levelOf(target, price),
    support_level: levelOf(support, price),
    exit_window: levels.daysTo(target),
    probabilities,
    trajectory,
  };
  return { ...told, reason: reasonOf(told, horizonDays, reservationsOf(position, market)) };
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

function levelOf(level: number, price: number): PriceLevel {
  return { price: level, change_pct: rounded(100 * (level / price - 1), 2) };
}

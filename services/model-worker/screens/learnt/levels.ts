import { rounded } from '../display.ts';

/** How far around the close an entry is still the one that was learnt. */
export const ENTRY_SPREAD_PCT = 1;

/** Of a run, as fractions of the close. */
export interface Barriers {
  target_gain: number;
  stop_loss: number;
}

/** Of a name, IDR. Exact products of the close, not rounded to ticks. */
export interface PriceLevels {
  entry_low: number;
  entry_high: number;
  stop: number;
  target: number;
}

/** What a result says of its levels, in percent. */
export function levelsOf({ target_gain, stop_loss }: Barriers) {
  return {
    target_gain_pct: percent(target_gain),
    stop_loss_pct: percent(stop_loss),
    entry_spread_pct: ENTRY_SPREAD_PCT,
  };
}

export function priceLevels(close: number, { target_gain, stop_loss }: Barriers): PriceLevels {
  return {
    entry_low: close * (1 - ENTRY_SPREAD_PCT / 100),
    entry_high: close * (1 + ENTRY_SPREAD_PCT / 100),
    stop: close * (1 - stop_loss),
    target: close * (1 + target_gain),
  };
}

/** 7 for 0.07, which times 100 is 7.000000000000001. */
function percent(fraction: number): number {
  return rounded(fraction * 100, 10);
}

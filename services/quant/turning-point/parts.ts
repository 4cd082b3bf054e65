/**
 * What speaks for a turn, and how many points it gives: positive where a fall may end, negative where a rise may. The
 * parts of flows need foreign trades (every dataset has them) or per-broker rows (`smart_money_…`, `retail_…`).
 *
 * Source: the project's own description of exhausted moves. Of liquid IDX stock-days of 2019 to 2024 (lookback 10,
 * without brokers' parts) 5.4 % score -2 or lower and 16.5 % 2 or higher, and the 20 days that follow are no better
 * after high scores than after low ones: the score describes, it does not forecast.
 */
export const PART_POINTS = {
  /** Rose at least 15 % over the lookback. */
  rally: -1,
  /** Within 3 % of the 60-bar high after a rise of at least 10 % over the lookback. */
  near_high: -1,
  /** Foreign investors sold, net, at least 5 % of the value traded in the lookback. */
  foreign_selling: -1,
  /** Foreigners and local institutions sold, net, while the price rose. */
  smart_money_selling: -2,
  /** Retail brokers bought, net, while the price rose. */
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
  /** Foreign investors bought, net, at least 5 % of the value traded in the lookback. */
  foreign_buying: 1,
  /** Foreigners and local institutions bought, net, while the price fell. */
  smart_money_buying: 2,
  /** Retail brokers sold, net, while the price fell. */
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

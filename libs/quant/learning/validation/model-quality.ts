/**
 * Outcomes of forecasts for days that their models had not seen, bought as a reader could have bought them. What cannot be computed
 * is left out, so that every member is a number.
 */
export interface ModelQuality {
  /** Percent of candidates that reached the target before the stop, one decimal; absent without candidates. */
  win_rate?: number;
  /** Mean net gain of the candidates that gained / mean net loss of those sold without; absent when either group is empty. */
  payoff?: number;
  candidates: number;
  /** Picks, not counted as candidates, that could not be bought on the next day. */
  unfilled: number;
}

interface ForecastOutcome {
  /** Whether the position was opened. */
  filled: boolean;
  /** Whether the target was reached first. */
  won: boolean;
  /** Net of costs, as a fraction of the price paid; NaN if nobody could sell it. */
  netReturn: number;
}

export function modelQuality(forecasts: readonly ForecastOutcome[]): ModelQuality {
  const outcomes = forecasts.filter(({ filled }) => filled);
  const gains = outcomes.filter(({ netReturn }) => netReturn > 0);
  const losses = outcomes.filter(({ netReturn }) => netReturn <= 0);
  const wins = outcomes.filter(({ won }) => won).length;
  const [meanGain, meanLoss] = [meanReturn(gains), -meanReturn(losses)];
  return {
    ...(outcomes.length > 0 && { win_rate: Math.round((1_000 * wins) / outcomes.length) / 10 }),
    ...(meanGain > 0 && meanLoss > 0 && { payoff: Math.round((100 * meanGain) / meanLoss) / 100 }),
    candidates: outcomes.length,
    unfilled: forecasts.length - outcomes.length,
  };
}

/** NaN when there are no outcomes. */
function meanReturn(outcomes: readonly ForecastOutcome[]): number {
  return outcomes.reduce((sum, { netReturn }) => sum + netReturn, 0) / outcomes.length;
}

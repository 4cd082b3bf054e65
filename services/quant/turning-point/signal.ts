/** In the order of the score, from a rise that may end to a fall that may end. */
export type TurningSignal =
  'DISTRIBUTION_RISK' | 'WEAKENING' | 'NEUTRAL' | 'EARLY_RECOVERY' | 'ACCUMULATION_REVERSAL';

/** From 4 up, 2 to 3, -1 to 1, -2 to -3, from -4 down. */
export function signalOfScore(score: number): TurningSignal {
  if (score >= 4) return 'ACCUMULATION_REVERSAL';
  if (score >= 2) return 'EARLY_RECOVERY';
  if (score > -2) return 'NEUTRAL';
  return score > -4 ? 'WEAKENING' : 'DISTRIBUTION_RISK';
}

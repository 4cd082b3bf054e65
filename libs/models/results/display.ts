const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const ABBREVIATED = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/**
 * Display strings of full-view rows. They use English number style, as in "2.3x", "12.4B" and "1,250". Sentences for readers
 * are in `reasons/sentences.ts`.
 */

/** `+0.42%`, `-1.30%` for 0.0042 and -0.013; zero is `+0.00%`. */
export function signedPercent(fraction: number): string {
  const hundredths = Math.round(fraction * 10_000);
  return `${hundredths < 0 ? '-' : '+'}${(Math.abs(hundredths) / 100).toFixed(2)}%`;
}

/** `2.3x`, `-` if it is not known. */
export function multiple(ratio: number): string {
  return Number.isNaN(ratio) ? '-' : `${ratio.toFixed(1)}x`;
}

/** `1,250`. */
export function grouped(valueIdr: number): string {
  return GROUPED.format(valueIdr);
}

/** `12.4B`: thousands K, millions M, billions B, trillions T; `-` for NaN, which nobody says. */
export function abbreviated(valueIdr: number): string {
  return Number.isNaN(valueIdr) ? '-' : ABBREVIATED.format(valueIdr);
}

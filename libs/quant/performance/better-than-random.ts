/**
 * The chance that a result is better than random ones, from draws of them: the share of draws that are worse, of equal ones
 * half. Uniform between 0 and 1 for a result that is itself a random draw. It never reaches 0 or 1, since more draws might
 * (Davison and Hinkley, Bootstrap Methods and their Application, 1997, equation 4.11).
 *
 * @returns undefined without draws
 */
export function chanceBetterThanRandom(result: number, draws: ArrayLike<number>): number | undefined {
  if (draws.length === 0) return undefined;
  let worse = 0;
  for (let i = 0; i < draws.length; i++) worse += draws[i]! < result ? 1 : draws[i] === result ? 0.5 : 0;
  return (worse + 0.5) / (draws.length + 1);
}

/** How draws are spread: what 5, 50 and 95 % of them stay below. */
export interface DrawSpread {
  draws: number;
  low: number;
  median: number;
  high: number;
}

/** @param ascending at least one draw */
export function spreadOf(ascending: ArrayLike<number>): DrawSpread {
  const at = (share: number) => ascending[Math.round(share * (ascending.length - 1))]!;
  return { draws: ascending.length, low: at(0.05), median: at(0.5), high: at(0.95) };
}

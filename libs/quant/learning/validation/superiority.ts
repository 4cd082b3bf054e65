/** Number of trades compared. At a base rate of 25 %, a lift of 1.22 then gives a superiority of 65, a lift of 1.6 gives 85. */
export const COMPARED_TRADES = 20;

/** C(20, k). */
const WAYS = binomialCoefficients(COMPARED_TRADES);

/**
 * The probability of superiority over twenty trades, in percent with one decimal: the probability that twenty trades that
 * each win with `chance` have more winners than twenty that each win with `baseRate`, ties split. 50 means as good as the
 * base rate. The sums of the two binomial distributions are exact. The statistic is Vargha and Delaney's A, "A critique and
 * improvement of the CL common language effect size statistics" (2000).
 *
 * @param baseRate above 0, below 1
 * @returns a function of `chance`, 0 to 1, that rises with it
 */
export function superiorityOver(baseRate: number): (chance: number) => number {
  if (!(baseRate > 0 && baseRate < 1))
    throw new RangeError(`baseRate must lie between 0 and 1, got ${baseRate}`);
  const beaten = sharesBeaten(baseRate);
  const lossPowers = new Float64Array(COMPARED_TRADES + 1);
  return (chance) => {
    if (!(chance >= 0 && chance <= 1)) throw new RangeError(`chance must lie within 0 to 1, got ${chance}`);
    writePowers(1 - chance, lossPowers);
    let [superiority, winPower] = [0, 1];
    for (let wins = 0; wins <= COMPARED_TRADES; wins++) {
      superiority += WAYS[wins]! * winPower * lossPowers[COMPARED_TRADES - wins]! * beaten[wins]!;
      winPower *= chance;
    }
    return Math.round(1_000 * superiority) / 10;
  };
}

/** By number of winners: the probability that twenty trades at this rate have fewer, plus half the probability of as many. */
function sharesBeaten(rate: number): Float64Array {
  let fewer = 0;
  return Float64Array.from(WAYS, (ways, wins) => {
    const share = ways * rate ** wins * (1 - rate) ** (COMPARED_TRADES - wins);
    fewer += share;
    return fewer - share / 2;
  });
}

/** Writes 1, base, base squared and so on. A run calls this for every forecast of a past day, some 100,000 times. */
function writePowers(base: number, out: Float64Array): void {
  out[0] = 1;
  for (let i = 1; i < out.length; i++) out[i] = out[i - 1]! * base;
}

function binomialCoefficients(n: number): number[] {
  const row = [1];
  for (let k = 1; k <= n; k++) row.push((row[k - 1]! * (n - k + 1)) / k);
  return row;
}

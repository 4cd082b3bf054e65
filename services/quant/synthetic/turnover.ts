import type { Company } from './company.ts';
import type { MarketPath } from './market-path.ts';
import { MeanReverting } from './mean-reverting.ts';
import type { Random } from './random.ts';
import type { ReturnPath } from './return-path.ts';

const MOOD_PERSISTENCE = 0.93;
/** Moves beyond this many usual deviations draw no more trading. */
const MOVE_CAP = 4;
const USUAL_MOVE = 0.7;

/** Turnover in IDR that each day of the listing calls for, whether or not it can be traded. */
export function turnoverPath(
  random: Random,
  company: Company,
  path: MarketPath,
  returns: ReturnPath,
): Float64Array {
  const mood = new MeanReverting(random, MOOD_PERSISTENCE, company.moodDeviation);
  return returns.fair.map((move, i) => {
    const size = Math.min(MOVE_CAP, Math.abs(move) / company.deviation);
    const noise = company.noiseDeviation * random.normal();
    const attention = mood.next() + noise + company.moveWeight * (size - USUAL_MOVE);
    return company.valueIdr * Math.exp(attention + path.activity[company.firstDay + i]!);
  });
}

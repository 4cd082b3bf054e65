import type { Schemas } from '#client/index.ts';
import { fixed } from '#console/words/formats.ts';
import { words } from './words.ts';

type Lift = Schemas['RecordEstimate'];

/** Whether picks won more often than other stocks, in a sentence. An interval that contains 1 shows nothing. */
export function verdictOf({ value, low, high }: Lift): string {
  const say = words.value;
  if (value === null || low === null || high === null) return say.tooFew;
  const [times, from, to] = [fixed(value, 2), fixed(low, 2), fixed(high, 2)];
  if (low > 1) return say.better(times, from, to);
  if (high < 1) return say.worse(times, from, to);
  return say.notTold(times, from, to);
}

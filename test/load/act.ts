import { administerUsage, pageThroughUsage, summarizeUsage } from './activities/usage.ts';
import { checkConsent, recordConsent } from './activities/consent.ts';
import { makeMistake, reuseKey } from './activities/mistakes.ts';
import { readMarketData } from './activities/market-data.ts';
import {
  listJobs,
  submitAndCancel,
  submitAndFollow,
  submitAndPoll,
  submitAndWait,
  submitRepeatedly,
} from './activities/runs.ts';
import { pause, type Activity, type Actor } from './actor.ts';

/**
 * How often each is done, of 100. A third of them submit runs, which is more than applications do: it is runs that can
 * get lost.
 */
const MIX: [weight: number, activity: Activity][] = [
  [9, submitAndPoll],
  [8, submitAndWait],
  [5, submitRepeatedly],
  [6, submitAndFollow],
  [4, submitAndCancel],
  [3, listJobs],
  [34, readMarketData],
  [8, pageThroughUsage],
  [6, summarizeUsage],
  [2, administerUsage],
  [4, checkConsent],
  [4, recordConsent],
  [6, makeMistake],
  [1, reuseKey],
];
const WEIGHTS = MIX.reduce((sum, [weight]) => sum + weight, 0);

/** Between two activities of a client: 200 of them then ask for some 200 answers a second. */
const THINKING_MS = [400, 1_600] as const;

/** One thing after the other until the load is over. */
export async function act(actor: Actor): Promise<void> {
  while (!actor.over.aborted) {
    await pause(actor, ...THINKING_MS);
    if (!actor.over.aborted) await activityOf(actor)(actor);
  }
}

function activityOf({ random }: Actor): Activity {
  let left = random.between(0, WEIGHTS);
  return (MIX.find(([weight]) => (left -= weight) < 0) ?? MIX[0]!)[1];
}

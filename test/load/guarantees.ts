import { FINAL } from '../support/fleets/jobs.ts';
import type { LoadOutcome } from './run-load.ts';

/** What must not be and was, one sentence each. Empty when every guarantee held. */
export function broken({
  tally,
  drained,
  differences,
  isRightByKey,
  ended,
  accepted,
}: LoadOutcome): string[] {
  const unexplained = [...tally.breaches].map(
    ([what, { times, examples }]) => `${what}, ${times} times, as in ${examples.join('; ')}`,
  );
  const unfinished = [...drained.states].filter(([, state]) => !FINAL.includes(state));
  const differing = Object.entries(differences).filter(([, times]) => times > 0);
  return [
    ...unexplained,
    ...ended.map((name) => `the process ${name} ended`),
    ...unfinished.slice(0, 10).map(([jobId, state]) => `accepted run ${jobId} is ${state}`),
    ...differing.map(([what, times]) => `the stores differ from what clients were told: ${what} ${times}`),
    ...(isRightByKey ? [] : ['/api/v1/admin/usage/keys does not give the counts of the rows']),
    ...(accepted.runs.size > 0 ? [] : ['no run was accepted, so nothing was tried']),
  ];
}

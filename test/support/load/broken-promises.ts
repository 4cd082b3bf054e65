import type { Differences } from './comparison.ts';
import type { Tally } from './tally.ts';

/** One sentence for each kind of outcome that breaks the contract. */
export function describeBreaches({ breaches }: Tally): string[] {
  return [...breaches].map(
    ([what, { times, examples }]) => `${what}, ${times} times, as in ${examples.join('; ')}`,
  );
}

/** One sentence for each kind of difference. */
export function describeDifferences(differences: Differences): string[] {
  return Object.entries(differences)
    .filter(([, times]) => times > 0)
    .map(([what, times]) => `the stores differ from what clients were told: ${what} ${times}`);
}

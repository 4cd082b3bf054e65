import type { Command } from 'commander';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { numberFromOne } from './numbers.ts';

/** Versions are removed one by one, each with millions of rows. */
const PRUNE_TIMEOUT_MS = 300_000;

/** `saring dataset prune` */
export function addPruneCommand(dataset: Command): void {
  dataset
    .command('prune')
    .description('remove old versions with their rows; the served version stays')
    .requiredOption('--keep <n>', 'how many of the newest versions stay, at least 1', numberFromOne)
    .option('--json', 'one JSON document')
    .addHelpText(
      'after',
      `
Every import publishes a version, and the ones before stay until this command. Broker rows that versions share go with
the last of them.

Example:
  saring dataset prune --keep 5`,
    )
    .action(prune);
}

async function prune({ keep, ...options }: OutputOptions & { keep: number }): Promise<void> {
  const { removed } = await withFleet(({ datasets, call }) =>
    datasets.pruneDatasets({ keep }, { ...call, timeoutMs: PRUNE_TIMEOUT_MS }),
  );
  answer(options, { removed }, () =>
    removed.length > 0 ? removed.map((version) => `  ✓ removed ${version}`).join('\n') : 'Nothing to remove.',
  );
}

import type { Command } from 'commander';
import type { ServedDataset } from '#proto/saring/market_data/v1/datasets.ts';
import { jakartaSecond } from '#shared/jakarta-time.ts';
import { textTable } from '#shared/text/text-table.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { describeDataset } from './import-report.ts';
import { numberFromOne } from './numbers.ts';

/** The service waits up to ten seconds until it answers from the version. */
const USE_TIMEOUT_MS = 30_000;

const USE_HELP = `
Goes back to an older version that has not been pruned, or forward to a newer one. It is served without a restart, days
are added to it from then on, and 'saring dataset history' keeps who chose it and why.

Examples:
  saring dataset use real-20240628-1 --reason 'prices of 1 July were wrong'
  saring dataset history`;

/** `saring dataset use` and `history` */
export function addServedCommands(dataset: Command): void {
  dataset
    .command('use <version>')
    .description('serve another version, as `dataset list` shows it, from now on')
    .option('--reason <text>', 'why, for the history', '')
    .option('--json', 'one JSON document')
    .addHelpText('after', USE_HELP)
    .action(use);
  dataset
    .command('history')
    .description('what was served since when, and who made it so, newest first')
    .option('--limit <n>', 'at most this many, 1 to 1000', numberFromOne, 50)
    .option('--json', 'one JSON document')
    .action(history);
}

async function use(
  version: string,
  { reason, ...options }: OutputOptions & { reason: string },
): Promise<void> {
  const used = await withFleet(({ datasets, call }) =>
    datasets.useDataset({ version, reason }, { ...call, timeoutMs: USE_TIMEOUT_MS }),
  );
  const { dataset, version_before, data_loaded } = used;
  answer(options, used, () => {
    const before = version_before === version ? 'served already' : `before: ${version_before || 'none'}`;
    return `  ✓ ${dataset ? describeDataset(dataset) : version}${data_loaded ? '' : ', not in memory yet'}; ${before}`;
  });
}

async function history({ limit, ...options }: OutputOptions & { limit: number }): Promise<void> {
  const document = await withFleet(({ datasets, call }) => datasets.listServedDatasets({ limit }, call));
  answer(options, document, () =>
    document.served.length === 0
      ? 'Nothing was ever served.'
      : textTable(['since (Jakarta)', 'version', 'by', 'action', 'reason'], document.served.map(row)).join(
          '\n',
        ),
  );
}

function row({ served_at, version, actor, action, reason, is_published }: ServedDataset): string[] {
  const since = served_at ? jakartaSecond(served_at) : '';
  return [since, is_published ? version : `${version} (removed)`, actor || '-', action, reason];
}

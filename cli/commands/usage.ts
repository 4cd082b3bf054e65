import type { Command } from 'commander';
import type { KeyUsage, UsageGroup } from '#proto/saring/usage/v1/usage.ts';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { withFleet } from '../fleet/operator-session.ts';
import { answer, examples, orNull, table, type OutputOptions } from '../terminal/output.ts';
import { oneOf, secondsOf } from '../terminal/option-values.ts';

const GROUPINGS = ['model', 'end_user', 'status', 'channel', 'day', 'actor'] as const;
type Grouping = (typeof GROUPINGS)[number];

/** `saring usage` */
export function addUsageCommand(program: Command): void {
  program
    .command('usage')
    .description('number of runs in the usage ledger, by key or by another field')
    .option('--since <duration>', 'only runs of this last period, for example 24h or 30d', secondsOf)
    .option('--by <what>', `${GROUPINGS.join(', ')} (default: key)`, oneOf(GROUPINGS))
    .addHelpText(...examples('usage --since 7d', 'usage --by day --since 30d'))
    .action(usage);
}

interface UsageOptions extends OutputOptions {
  since?: number;
  by?: Grouping;
}

async function usage({ since: seconds, by, ...options }: UsageOptions): Promise<void> {
  const since = seconds === undefined ? undefined : new Date(Date.now() - seconds * 1_000);
  if (by === undefined) return usageByKey(since, options);
  const all = { channel: undefined, api_key_id: undefined, since, until: undefined };
  const found = await withFleet((fleet) =>
    fleet.usage.summarizeAllUsage({ group_by: by, ...all }, fleet.call),
  );
  answer(options, { total_runs: found.total_runs, groups: found.groups.map(orNull) }, () =>
    [table(found.groups, groupColumns(by)), totalText(found.total_runs)].join('\n'),
  );
}

async function usageByKey(since: Date | undefined, options: OutputOptions): Promise<void> {
  const [used, names] = await withFleet(async ({ usage, keys, call }) => {
    const [{ keys: rows }, { api_keys }] = await Promise.all([
      usage.listKeyUsage({ since }, call),
      keys.listKeys({}, call),
    ]);
    return [rows, new Map(api_keys.map(({ id, name }) => [id, name]))] as const;
  });
  const documents = used.map((key) => ({ ...key, name: names.get(key.api_key_id) ?? null }));
  answer(options, { keys: documents }, () =>
    [table(documents, KEY_COLUMNS), totalText(used.reduce((sum, { runs }) => sum + runs, 0))].join('\n'),
  );
}

const COUNTS = {
  runs: ({ runs }: KeyUsage | UsageGroup) => runs,
  succeeded: ({ succeeded }: KeyUsage | UsageGroup) => succeeded,
  failed: ({ failed }: KeyUsage | UsageGroup) => failed,
};

const KEY_COLUMNS: Parameters<typeof table<KeyUsage & { name: string | null }>>[1] = {
  key: ({ api_key_id }) => api_key_id,
  // A deleted key has no name any more.
  name: ({ name }) => name ?? '(deleted)',
  ...COUNTS,
  'end users': ({ end_users }) => end_users,
  'last run (Jakarta)': ({ last_run_at }) => moment(last_run_at),
};

function groupColumns(by: Grouping): Parameters<typeof table<UsageGroup>>[1] {
  return {
    [by]: ({ key }) => key,
    ...COUNTS,
    'mean s': ({ avg_duration_seconds }) => avg_duration_seconds?.toFixed(1) ?? '-',
    'last run (Jakarta)': ({ last_run_at }) => moment(last_run_at),
  };
}

function totalText(runs: number): string {
  return `${runs.toLocaleString('en')} runs in all.`;
}

function moment(at: Date | undefined): string {
  return at ? jakartaSecond(at) : '-';
}

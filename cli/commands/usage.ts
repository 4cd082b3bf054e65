import { InvalidArgumentError, type Command } from 'commander';
import type { KeyUsage, UsageGroup } from '#proto/saring/usage/v1/usage.ts';
import { jakartaSecond } from '#shared/jakarta-time.ts';
import { textTable, type Cell } from '#shared/text/text-table.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { secondsOf } from './option-values.ts';

const GROUPINGS = ['model', 'end_user', 'status', 'channel', 'day', 'actor'] as const;
type Grouping = (typeof GROUPINGS)[number];

/** `saring usage` */
export function addUsageCommand(program: Command): void {
  program
    .command('usage')
    .description('number of runs in the usage ledger, by key or by another field')
    .option('--since <duration>', 'only runs of this last period, for example 24h or 30d', secondsOf)
    .option('--by <what>', `${GROUPINGS.join(', ')} (default: key)`, groupingOf)
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExamples:\n  saring usage --since 7d\n  saring usage --by day --since 30d')
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
  answer(options, { total_runs: found.total_runs, groups: found.groups.map(groupDocument) }, () =>
    [
      ...textTable([by, ...COLUMNS, 'mean s', 'last run (Jakarta)'], found.groups.map(groupRow)),
      totalText(found.total_runs),
    ].join('\n'),
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
    [
      ...textTable(['key', 'name', ...COLUMNS, 'end users', 'last run (Jakarta)'], documents.map(keyRow)),
      totalText(used.reduce((sum, { runs }) => sum + runs, 0)),
    ].join('\n'),
  );
}

const COLUMNS = ['runs', 'succeeded', 'failed'];

function keyRow({
  api_key_id,
  name,
  runs,
  succeeded,
  failed,
  end_users,
  last_run_at,
}: KeyUsage & { name: string | null }): Cell[] {
  // A deleted key has no name any more.
  return [api_key_id, name ?? '(deleted)', runs, succeeded, failed, end_users, moment(last_run_at)];
}

function groupRow({ key, runs, succeeded, failed, avg_duration_seconds, last_run_at }: UsageGroup): Cell[] {
  return [key, runs, succeeded, failed, avg_duration_seconds?.toFixed(1) ?? '-', moment(last_run_at)];
}

function groupDocument({ avg_duration_seconds, api_key_id, ...group }: UsageGroup) {
  return { ...group, avg_duration_seconds: avg_duration_seconds ?? null, api_key_id: api_key_id ?? null };
}

function totalText(runs: number): string {
  return `${runs.toLocaleString('en')} runs in all.`;
}

function moment(at: Date | undefined): string {
  return at ? jakartaSecond(at) : '-';
}

function groupingOf(text: string): Grouping {
  const grouping = GROUPINGS.find((known) => known === text);
  if (!grouping) throw new InvalidArgumentError(`must be one of ${GROUPINGS.join(', ')}.`);
  return grouping;
}

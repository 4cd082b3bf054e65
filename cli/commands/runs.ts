import type { Command } from 'commander';
import type { RunOfKey } from '#proto/saring/models/v1/runs.ts';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from '../terminal/command-failure.ts';
import { withFleet } from '../fleet/operator-session.ts';
import { answer, examples, facts, orNull, table, type OutputOptions } from '../terminal/output.ts';
import { numberFromOne, oneOf } from '../terminal/option-values.ts';

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'interrupted'] as const;
type Status = (typeof STATUSES)[number];

/** `saring runs …` */
export function addRunsCommands(program: Command): void {
  const runs = program.command('runs').description('show the runs of all keys, and cancel one');
  runs
    .command('list')
    .description('recent runs, newest first')
    .option('--status <status>', `only runs with this status: ${STATUSES.join(', ')}`, oneOf(STATUSES))
    .option('--model <model>', 'only runs of this model')
    .option('--key <id>', 'only runs of this key')
    .option('--limit <n>', 'at most this many, 1 to 1000', numberFromOne, 20)
    .addHelpText(...examples('runs list --status running'))
    .action(list);
  runs
    .command('show <job>')
    .description('details of one run, without its result')
    .addHelpText(...examples('runs show job_0123456789abcdef01234567'))
    .action(show);
  runs
    .command('cancel <job>')
    .description('cancel a run: a waiting one ends at once, a running one at its next checkpoint')
    .addHelpText(...examples('runs cancel job_0123456789abcdef01234567'))
    .action(cancel);
}

interface ListOptions extends OutputOptions {
  status?: Status;
  model?: string;
  key?: string;
  limit: number;
}

async function list({ status, model, key, limit, ...options }: ListOptions): Promise<void> {
  const filter = { job_id: undefined, status, model_id: model, api_key_id: key, limit };
  const { runs } = await withFleet((fleet) => fleet.runs.listRuns(filter, fleet.call));
  answer(options, { runs: runs.map(document) }, () => table(runs, COLUMNS, 'No run matches.'));
}

async function show(jobId: string, options: OutputOptions): Promise<void> {
  const run = await withFleet((fleet) => runOf(fleet, jobId));
  answer(options, document(run), () => runText(run));
}

async function cancel(jobId: string, options: OutputOptions): Promise<void> {
  const run = await withFleet(async (fleet) => {
    const found = await runOf(fleet, jobId);
    const { job } = await fleet.runs.cancelRun({ job_id: jobId, api_key_id: found.api_key_id }, fleet.call);
    return { ...found, job };
  });
  answer(options, document(run), () => `Run ${jobId} is ${run.job?.status}.`);
}

type Fleet = Parameters<Parameters<typeof withFleet>[0]>[0];

/** @throws CommandFailure when there is no such run */
async function runOf({ runs, call }: Fleet, jobId: string): Promise<RunOfKey> {
  const filter = { job_id: jobId, status: undefined, model_id: undefined, api_key_id: undefined, limit: 1 };
  const [run] = (await runs.listRuns(filter, call)).runs;
  if (run) return run;
  throw new CommandFailure(EXIT.refused, `there is no run ${jobId}.`);
}

function document({ job, api_key_id, channel }: RunOfKey) {
  const { result_json: _, result_english: __, params, evidence, ...known } = job!;
  return { ...orNull(known), params, evidence, api_key_id, channel };
}

const COLUMNS: Parameters<typeof table<RunOfKey>>[1] = {
  job: ({ job }) => job!.job_id,
  model: ({ job }) => job!.target,
  status: ({ job }) => job!.status,
  'accepted (Jakarta)': ({ job }) => (job!.created_at ? jakartaSecond(job!.created_at) : '-'),
  seconds: ({ job }) => job!.duration_seconds.toFixed(1),
  key: ({ api_key_id }) => api_key_id,
};

function runText({ job, api_key_id, channel }: RunOfKey): string {
  const { job_id, target, status, params, end_user, summary, dataset_version, error_message, error_english } =
    job!;
  const moment = (at: Date | undefined) => (at ? `${jakartaSecond(at)} WIB` : '-');
  return facts([
    ['job', job_id],
    ['model', target],
    ['status', status],
    ['key', `${api_key_id}, ${channel}, end user ${end_user}`],
    ['accepted', moment(job!.created_at)],
    ['started', moment(job!.started_at)],
    ['ended', moment(job!.finished_at)],
    ['parameters', JSON.stringify(params ?? {})],
    ['dataset', dataset_version ?? '-'],
    [
      'picks',
      summary ? `${summary.pick_count} of ${summary.target_date}: ${summary.tickers.join(', ')}` : '-',
    ],
    ['error', error_english ?? error_message ?? '-'],
  ]);
}

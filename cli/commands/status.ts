import type { Command } from 'commander';
import type { FeedSource } from '#proto/saring/feed/v1/feed.ts';
import type { Dataset, Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import type { GetQueueResponse } from '#proto/saring/models/v1/runs.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { lackText, whyText } from '../fleet/freshness.ts';
import { ledgerLagSeconds } from '../fleet/ledger-lag.ts';
import type { ProcessStatus } from '../fleet/processes.ts';
import { readFleetState, requireRunning } from '../fleet/state.ts';
import type { OperatorSession } from '../fleet/operator-session.ts';
import { answer, orNull, table, type OutputOptions } from '../terminal/output.ts';
import { packageVersion } from '#platform/process/package-version.ts';
import { partialNote } from './import-report.ts';

const RESPONSE_WITHIN_MS = 3_000;

const STATUS_HELP = `
The exit code is 1 if a process is not up or a run could not complete. 'saring doctor' says what to do about it.`;

const DOCTOR_HELP = `
Checks the processes, failed starts, ports, disk space, JetStream, the servers of a ClickHouse cluster, migrations,
clocks, the dataset, its sources, models, schedules, the usage ledger, the pepper and the scopes of keys. It changes nothing. The
exit code is 1 if it finds a problem.`;

/** `saring status` and `saring doctor` */
export function addStatusCommands(program: Command): void {
  program
    .command('status')
    .description(
      'state of every process of the fleet, of the dataset, how fresh it is and where new days come from, the queue and the ledger',
    )
    .addHelpText('after', STATUS_HELP)
    .action(status);
  program
    .command('doctor')
    .description('what is wrong with the fleet, and what to do about it')
    .addHelpText('after', DOCTOR_HELP)
    .action(doctor);
}

interface Health {
  status: string;
  dataset:
    | (Pick<Dataset, 'version' | 'kind' | 'last_date' | 'whole_until'> & { published_at: string })
    | null;
  runs: { can_complete: boolean };
}

type Queue = Omit<GetQueueResponse, 'points'>;

interface Status {
  version: string;
  state_dir: string;
  base_url: string;
  health: Health | null;
  /** Over gRPC, where it says what to do too. */
  freshness: Freshness | null;
  /** Null when the feed does not answer. */
  sources: ReturnType<typeof orNull<FeedSource>>[] | null;
  queue: Queue | null;
  ledger_lag_seconds: number | null;
  processes: ProcessStatus[];
}

async function status(options: OutputOptions): Promise<void> {
  const state = readFleetState();
  const { base_url } = requireRunning(state);
  // Loading the clients takes a third of a start, so only commands that need them load them.
  const { examineFleet } = await import('../fleet/examine.ts');
  const [health, { processes, freshness, sources, queue, lag }] = await Promise.all([
    healthOf(base_url),
    examineFleet(state, async ({ processes, stores, services }) => {
      const [freshness, sources, queue, lag] = await Promise.all([
        freshnessOf(services!).catch(() => null),
        sourcesOf(services!).catch(() => null),
        queueOf(services!).catch(() => null),
        ledgerLagSeconds(stores!).catch(() => null),
      ]);
      return { processes, freshness, sources, queue, lag };
    }),
  ]);
  const found: Status = {
    version: packageVersion(),
    state_dir: state.dir,
    base_url,
    health,
    freshness,
    sources: sources && sources.map(orNull),
    queue,
    ledger_lag_seconds: lag,
    processes,
  };
  answer(options, found, () => statusText(found));
  const isWell = processes.every(({ state }) => state === 'up' || state === 'external');
  if (!isWell || !health?.runs.can_complete) process.exitCode = EXIT.refused;
}

/** Null when the gateway does not answer. */
async function healthOf(baseUrl: string): Promise<Health | null> {
  try {
    const answered = await fetch(`${baseUrl}/api/health`, {
      signal: AbortSignal.timeout(RESPONSE_WITHIN_MS),
    });
    return (await answered.json()) as Health;
  } catch {
    return null;
  }
}

async function freshnessOf({ datasets, call }: OperatorSession): Promise<Freshness | null> {
  const current = await datasets.getCurrentDataset({}, { ...call, timeoutMs: RESPONSE_WITHIN_MS });
  return current.freshness ?? null;
}

async function sourcesOf({ feed, call }: OperatorSession): Promise<FeedSource[]> {
  return (await feed.listSources({}, { ...call, timeoutMs: RESPONSE_WITHIN_MS })).sources;
}

async function queueOf({ runs, call }: OperatorSession): Promise<Queue> {
  const { points: _, ...now } = await runs.getQueue(
    { minutes: 1 },
    { ...call, timeoutMs: RESPONSE_WITHIN_MS },
  );
  return now;
}

const COLUMNS: Parameters<typeof table<ProcessStatus>>[1] = {
  process: ({ name }) => name,
  state: ({ state }) => state,
  pid: ({ pid }) => pid ?? '-',
  port: ({ port }) => port,
  'memory MiB': ({ memory_mib }) => memory_mib ?? '-',
  up: ({ up_seconds }) => (up_seconds === null ? '-' : shortTime(up_seconds)),
};

function statusText({
  version,
  state_dir,
  base_url,
  health,
  freshness,
  sources,
  queue,
  ledger_lag_seconds,
  processes,
}: Status): string {
  const facts = [
    ['Saring', `${version}, state in ${state_dir}`],
    ['REST API', `${base_url}, ${health?.status ?? 'no answer'}`],
    ['dataset', datasetText(health)],
    ['freshness', freshness ? lackText(freshness) : 'unknown'],
    ...(freshness && whyText(freshness) ? [['', whyText(freshness)]] : []),
    ['sources', sources ? sourcesText(sources) : 'unknown: the feed does not answer'],
    ...(sources ?? []).flatMap(whyFailing),
    ['queue', queue ? queueText(queue) : 'unknown: the service models does not answer'],
    ['ledger', ledgerText(ledger_lag_seconds)],
  ];
  const reasons = processes.flatMap(({ name, state, reason }) =>
    state === 'up' || reason === null ? [] : [`  ! ${name}: ${reason}`],
  );
  return [
    ...facts.map(([name, value]) => `${name!.padEnd(10)}${value}`),
    '',
    table(processes, COLUMNS),
    ...(reasons.length > 0 ? ['', ...reasons] : []),
  ].join('\n');
}

function datasetText(health: Health | null): string {
  if (!health) return 'unknown: the gateway does not answer';
  const { dataset } = health;
  if (!dataset) return 'none';
  const kind = dataset.kind === 'synthetic' ? 'SYNTHETIC, ' : '';
  return `${dataset.version}, ${kind}last day ${dataset.last_date}${partialNote(dataset)}, published ${jakartaDateTime(new Date(dataset.published_at)).slice(0, 16)}`;
}

function sourcesText(sources: NonNullable<Status['sources']>): string {
  return sources.map(({ name, state }) => `${name} ${state}`).join(', ') || 'none declared';
}

function whyFailing({ name, state, reason }: NonNullable<Status['sources']>[number]): string[][] {
  return state === 'failing' ? [['', `${name}: ${terminalText(reason ?? '')}`]] : [];
}

function queueText({ queued, running, oldest_queued_seconds }: Queue): string {
  const oldest = queued > 0 ? `, the oldest for ${shortTime(oldest_queued_seconds)}` : '';
  return `${running} running, ${queued} waiting${oldest}`;
}

function ledgerText(lagSeconds: number | null): string {
  if (lagSeconds === null) return 'unknown: a store does not answer';
  return lagSeconds === 0 ? 'up to date' : `behind by ${shortTime(lagSeconds)}`;
}

/** `42 s`, `12 min`, `5 h`, `3 d`. */
function shortTime(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

async function doctor(options: OutputOptions): Promise<void> {
  // Only this command loads the doctor's modules, so that all other commands start faster.
  const { diagnose } = await import('../doctor/doctor.ts');
  const diagnosis = await diagnose();
  const { findings, checks } = diagnosis;
  answer(options, diagnosis, () =>
    findings.length === 0
      ? `  ✓ Nothing is wrong: ${checks.join(', ')}.`
      : findings.map(({ what, fix }) => `  ✗ ${what}\n    ${fix}`).join('\n'),
  );
  if (findings.length > 0) process.exitCode = EXIT.refused;
}

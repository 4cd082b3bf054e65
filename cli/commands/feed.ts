import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { Fetch, FeedSource, TrySourceResponse } from '#proto/saring/feed/v1/feed.ts';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { textTable } from '#foundation/text/text-table.ts';
import { CommandFailure } from '../terminal/command-failure.ts';
import { withFleet } from '../fleet/operator-session.ts';
import { answer, note, orNull, table, type OutputOptions } from '../terminal/output.ts';
import { calendarDay, numberFromOne } from '../terminal/option-values.ts';
import { textOf } from './upload.ts';

const POLL_MS = 1_000;
/** The most entries that the log returns at once. In a longer span, older missing days are not named. */
const MAX_FETCHES = 1_000;
/** After every day of a span without an end. */
const LAST_DAY = '9999-12-31';
/** Longer than the longest time limit of a source. */
const TRY_TIMEOUT_MS = 330_000;

const RUN_HELP = `
Without --from, the source is asked for whatever is due. With --from, every trading day of the span is asked for, oldest first,
after what is due. The feed goes on by itself if this command is interrupted, and after a restart. The exit code is 1, with the
reason, if the source fails, is paused or waits. With --from it is 1 only if days of the span did not come.

Examples:
  saring feed run idx
  saring feed run idx --from 2026-01-02 --to 2026-03-31`;

const TRY_HELP = `
The file has one source, as in the file that FEED_SOURCES names. The feed reads what the file names where the feed runs, with its own
environment; relative paths are relative to the file.

Example:
  saring feed try vendor.json --day 2026-11-24`;

/** `saring feed …` */
export function addFeedCommands(program: Command): void {
  const feed = program.command('feed').description('market data that arrives by itself');
  feed
    .command('status')
    .description('every source: what it brought, what it waits for and why')
    .action(status);
  feed
    .command('run <source>')
    .description('ask a source now, or catch up a span of days')
    .option('--from <day>', 'first day to catch up, YYYY-MM-DD', calendarDay)
    .option('--to <day>', 'last day to catch up (default: today)', calendarDay)
    .addHelpText('after', RUN_HELP)
    .action(run);
  feed
    .command('pause <source>')
    .description('stop asking a source until it is resumed')
    .option('--reason <text>', 'why, for the record', '')
    .action(pause);
  feed.command('resume <source>').description('ask a paused source again').action(resume);
  feed
    .command('log')
    .description('everything that was fetched, newest first')
    .option('--source <name>', 'only of this source')
    .option('--subject <day or file>', 'only of this trading day or file')
    .addOption(
      new Option('--outcome <outcome>', 'only with this outcome').choices([
        'running',
        'published',
        'unchanged',
        'failed',
      ]),
    )
    .option('--limit <n>', 'at most this many, 1 to 1000', numberFromOne, 50)
    .action(log);
  feed
    .command('try <file>')
    .description('fetch a day of a source that is not declared yet and show its first rows; imports nothing')
    .option('--day <day>', 'trading day to fetch (default: the newest that is due)', calendarDay)
    .option('--rows <n>', 'rows to show, 1 to 100', numberFromOne, 10)
    .addHelpText('after', TRY_HELP)
    .action(tryOut);
}

async function status(options: OutputOptions): Promise<void> {
  const { sources } = await withFleet(({ feed, call }) => feed.listSources({}, call));
  answer(options, { sources: sources.map(orNull) }, () => sourcesText(sources));
}

interface RunOptions extends OutputOptions {
  from?: string;
  to?: string;
}

async function run(source: string, { from, to, ...options }: RunOptions): Promise<void> {
  if (to !== undefined && from === undefined) throw new CommandFailure(EXIT.usage, '--to needs --from.');
  const { last, missing } = await withFleet(async ({ feed, call }) => {
    let found = required((await feed.runSource({ source, from, to }, call)).source);
    const askedAt = found.next_attempt_at?.getTime() ?? 0;
    let shown = '';
    while (isAtWork(found, askedAt)) {
      const text = progressText(found);
      if (text !== shown && !options.json) note(text);
      shown = text;
      await sleep(POLL_MS);
      found = required((await feed.listSources({}, call)).sources.find(({ name }) => name === source));
    }
    const { fetches } =
      from === undefined ? { fetches: [] } : await feed.listFetches({ source, limit: MAX_FETCHES }, call);
    const isOfSpan = ({ subject, started_at }: Fetch) =>
      subject >= from! && subject <= (to ?? LAST_DAY) && (started_at?.getTime() ?? 0) >= askedAt;
    return { last: found, missing: failedSubjects(fetches.filter(isOfSpan)) };
  });
  const days_missing = missing.map(({ subject, problem = '', reason = '' }) => ({
    day: subject,
    problem,
    reason,
  }));
  const document = { ...orNull(last), ...(from === undefined ? {} : { days_missing }) };
  answer(options, document, () => [sourceText(last), ...missingText(missing)].join('\n'));
  const isWhole = from === undefined ? last.state === 'idle' : !last.catch_up && missing.length === 0;
  if (!isWhole) process.exitCode = EXIT.refused;
}

/** The newest fetch of each subject whose newest fetch failed, in the order of subjects. */
function failedSubjects(newestFirst: Fetch[]): Fetch[] {
  const newest = new Map(newestFirst.toReversed().map((fetch) => [fetch.subject, fetch]));
  return [...newest.values()]
    .filter(({ outcome }) => outcome === 'failed')
    .sort((a, b) => (a.subject < b.subject ? -1 : 1));
}

function missingText(missing: Fetch[]): string[] {
  if (missing.length === 0) return [];
  const days = missing.length === 1 ? '1 day' : `${missing.length} days`;
  return [
    `${days} did not come. To ask again, run the span again:`,
    ...missing.map(({ subject, reason }) => `  ${subject}  ${terminalText(reason ?? '')}`),
  ];
}

/** Whether a source that was to be asked then is still waiting, or is asked again at once. After most failures it pauses. */
function isAtWork({ state, next_attempt_at, catch_up }: FeedSource, askedAt: number): boolean {
  if (state === 'paused') return false;
  const next = next_attempt_at?.getTime() ?? Infinity;
  if (state === 'fetching' || next <= askedAt) return true;
  return (catch_up !== undefined && state !== 'failing') || next <= Date.now();
}

function progressText({ name, catch_up, due_day }: FeedSource): string {
  if (catch_up)
    return `${name}: ${catch_up.days_done} of ${catch_up.days} days from ${catch_up.from} to ${catch_up.to}`;
  return due_day ? `${name}: asking for ${due_day}` : `${name}: asking`;
}

async function pause(
  source: string,
  { reason, ...options }: OutputOptions & { reason: string },
): Promise<void> {
  const { source: paused } = await withFleet(({ feed, call }) => feed.pauseSource({ source, reason }, call));
  answer(options, orNull(required(paused)), () => sourceText(required(paused)));
}

async function resume(source: string, options: OutputOptions): Promise<void> {
  const { source: resumed } = await withFleet(({ feed, call }) => feed.resumeSource({ source }, call));
  answer(options, orNull(required(resumed)), () => sourceText(required(resumed)));
}

interface LogOptions extends OutputOptions {
  source?: string;
  subject?: string;
  outcome?: Fetch['outcome'];
  limit: number;
}

async function log({ source, subject, outcome, limit, ...options }: LogOptions): Promise<void> {
  const request = { source, subject, outcome, limit };
  const { fetches } = await withFleet(({ feed, call }) => feed.listFetches(request, call));
  answer(options, { fetches: fetches.map(orNull) }, () => fetchesText(fetches));
}

interface TryOptions extends OutputOptions {
  day?: string;
  rows: number;
}

async function tryOut(file: string, { day, rows, ...options }: TryOptions): Promise<void> {
  const definition = await textOf(file);
  const found = await withFleet(({ feed, call }) =>
    feed.trySource(
      { definition, day, rows, folder: path.dirname(path.resolve(file)) },
      { ...call, timeoutMs: TRY_TIMEOUT_MS },
    ),
  );
  answer(options, found, () => triedText(found));
}

function required<T>(found: T | undefined): T {
  if (found === undefined) throw new ServiceError('internal_error', 'the feed answered without the source');
  return found;
}

function sourcesText(sources: FeedSource[]): string {
  return table(
    sources,
    {
      source: ({ name }) => name,
      format: ({ format }) => format,
      state: ({ state }) => state,
      'last day': ({ last_day }) => last_day ?? 'none yet',
      due: ({ due_day }) => due_day,
      'next attempt (Jakarta)': ({ next_attempt_at }) => next_attempt_at && jakartaSecond(next_attempt_at),
      requests: ({ requests_today, requests_per_day }) => `${requests_today} of ${requests_per_day}`,
      reason: ({ reason }) => reason,
    },
    'No source is declared. FEED_SOURCES names the file that declares them: see docs/feeds.md.',
  );
}

function sourceText(source: FeedSource): string {
  const { name, state, origin, last_day, due_day, reason, catch_up } = source;
  return [
    `${name}: ${state}`,
    ...(origin ? [`  from      ${terminalText(origin)}`] : []),
    `  last day  ${last_day ?? 'none yet'}`,
    ...(due_day ? [`  due       ${due_day}`] : []),
    ...(catch_up ? [`  catch-up  ${progressText(source)}`] : []),
    ...(reason ? [`  because   ${terminalText(reason)}`] : []),
  ].join('\n');
}

function fetchesText(fetches: Fetch[]): string {
  return table(
    fetches,
    {
      'at (Jakarta)': ({ started_at }) => started_at && jakartaSecond(started_at),
      source: ({ source }) => source,
      subject: ({ subject }) => subject,
      outcome: ({ problem, outcome }) => problem ?? outcome,
      bytes: ({ bytes }) => bytes.toLocaleString('en'),
      rows: ({ rows }) => rows.toLocaleString('en'),
      refused: ({ rejected_rows }) => rejected_rows.toLocaleString('en'),
      'version or reason': ({ dataset_version, reason }) => dataset_version ?? reason,
    },
    'Nothing was fetched yet.',
  );
}

function triedText({ columns, rows, rows_in_all, bytes, findings }: TrySourceResponse): string {
  return [
    ...textTable(
      columns,
      rows.map(({ values }) => values.map((value) => terminalText(value))),
    ),
    '',
    `${rows_in_all.toLocaleString('en')} rows from ${bytes.toLocaleString('en')} bytes. Nothing was imported.`,
    ...findings.map((finding) => `- ${terminalText(finding)}`),
  ].join('\n');
}

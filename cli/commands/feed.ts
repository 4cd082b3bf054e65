import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Fetch, FeedSource, TrySourceResponse } from '#proto/saring/feed/v1/feed.ts';
import { isCalendarDay, jakartaSecond } from '#shared/jakarta-time.ts';
import { EXIT } from '#shared/process/exit-codes.ts';
import { ServiceError } from '#shared/service-error.ts';
import { terminalText } from '#shared/text/terminal-text.ts';
import { textTable } from '#shared/text/text-table.ts';
import { CommandFailure } from '../command-failure.ts';
import { withFleet } from '../operator-session.ts';
import { answer, note, type OutputOptions } from '../output.ts';
import { numberFromOne } from './option-values.ts';

const POLL_MS = 1_000;
/** The most that the log tells at once. Of a longer span, older days that did not come are not named. */
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
  const json = ['--json', 'one JSON document'] as const;
  feed
    .command('status')
    .description('every source: what it brought, what it waits for and why')
    .option(...json)
    .action(status);
  feed
    .command('run <source>')
    .description('ask a source now, or catch up a span of days')
    .option('--from <day>', 'first day to catch up, YYYY-MM-DD', calendarDay)
    .option('--to <day>', 'last day to catch up (default: today)', calendarDay)
    .option(...json)
    .addHelpText('after', RUN_HELP)
    .action(run);
  feed
    .command('pause <source>')
    .description('stop asking a source until it is resumed')
    .option('--reason <text>', 'why, for the record', '')
    .option(...json)
    .action(pause);
  feed
    .command('resume <source>')
    .description('ask a paused source again')
    .option(...json)
    .action(resume);
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
    .option(...json)
    .action(log);
  feed
    .command('try <file>')
    .description('fetch a day of a source that is not declared yet and show its first rows; imports nothing')
    .option('--day <day>', 'trading day to fetch (default: the newest that is due)', calendarDay)
    .option('--rows <n>', 'rows to show, 1 to 100', numberFromOne, 10)
    .option(...json)
    .addHelpText('after', TRY_HELP)
    .action(tryOut);
}

function calendarDay(text: string): string {
  if (isCalendarDay(text)) return text;
  throw new InvalidArgumentError('must be an existing day, YYYY-MM-DD.');
}

async function status(options: OutputOptions): Promise<void> {
  const { sources } = await withFleet(({ feed, call }) => feed.listSources({}, call));
  answer(options, { sources: sources.map(sourceDocument) }, () => sourcesText(sources));
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
  const document = { ...sourceDocument(last), ...(from === undefined ? {} : { days_missing }) };
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

/** Whether a source that was asked then has not been asked yet, or is asked again at once. After most failures it rests. */
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
  answer(options, sourceDocument(required(paused)), () => sourceText(required(paused)));
}

async function resume(source: string, options: OutputOptions): Promise<void> {
  const { source: resumed } = await withFleet(({ feed, call }) => feed.resumeSource({ source }, call));
  answer(options, sourceDocument(required(resumed)), () => sourceText(required(resumed)));
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
  answer(options, { fetches: fetches.map(fetchDocument) }, () => fetchesText(fetches));
}

interface TryOptions extends OutputOptions {
  day?: string;
  rows: number;
}

async function tryOut(file: string, { day, rows, ...options }: TryOptions): Promise<void> {
  const definition = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(EXIT.usage, `${file} cannot be read: ${(error as Error).message}`);
  });
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

/** A source as JSON for scripts: absent fields are null. */
export function sourceDocument(source: FeedSource) {
  const {
    last_day = null,
    last_published_at = null,
    due_day = null,
    next_attempt_at = null,
    ...rest
  } = source;
  const { reason = null, catch_up = null } = source;
  return { ...rest, last_day, last_published_at, due_day, next_attempt_at, reason, catch_up };
}

/** A fetch as JSON for scripts: absent fields are null. */
function fetchDocument({ ended_at, problem, reason, dataset_version, ...fetch }: Fetch) {
  return {
    ...fetch,
    ended_at: ended_at ?? null,
    problem: problem ?? null,
    reason: reason ?? null,
    dataset_version: dataset_version ?? null,
  };
}

function sourcesText(sources: FeedSource[]): string {
  if (sources.length === 0)
    return 'No source is declared. FEED_SOURCES names the file that declares them: see docs/feeds.md.';
  const head = [
    'source',
    'format',
    'state',
    'last day',
    'due',
    'next attempt (Jakarta)',
    'requests',
    'reason',
  ];
  const rows = sources.map((source) => [
    source.name,
    source.format,
    source.state,
    source.last_day ?? 'none yet',
    source.due_day ?? '',
    source.next_attempt_at ? jakartaSecond(source.next_attempt_at) : '',
    `${source.requests_today} of ${source.requests_per_day}`,
    terminalText(source.reason ?? ''),
  ]);
  return textTable(head, rows).join('\n');
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
  if (fetches.length === 0) return 'Nothing was fetched yet.';
  const head = [
    'at (Jakarta)',
    'source',
    'subject',
    'outcome',
    'bytes',
    'rows',
    'refused',
    'version or reason',
  ];
  const rows = fetches.map((fetch) => [
    fetch.started_at ? jakartaSecond(fetch.started_at) : '',
    fetch.source,
    terminalText(fetch.subject),
    fetch.problem ?? fetch.outcome,
    fetch.bytes.toLocaleString('en'),
    fetch.rows.toLocaleString('en'),
    fetch.rejected_rows.toLocaleString('en'),
    terminalText(fetch.dataset_version ?? fetch.reason ?? ''),
  ]);
  return textTable(head, rows).join('\n');
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

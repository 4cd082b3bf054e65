import { open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from '../terminal/command-failure.ts';
import { SHARED_PROCESS } from '#local/configuration/service-table.ts';
import { LIGHT_SERVICES } from '#services/service-table.ts';
import { readFleetState } from '../fleet/state.ts';
import { numberFromOne, oneOf } from '../terminal/option-values.ts';

const POLL_PAUSE_MS = 300;
const WIDEST_NAME = 'model-worker-1'.length;
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

const LOGS_HELP = `
Shows the lines of all services and servers, or of the named ones, in order of time. --id finds every line that contains an id: of a
request (req_…), a job (job_…) or a key (key_…).

Examples:
  saring logs --follow
  saring logs models model-worker-1 --lines 200
  saring logs --id req_0123456789abcdef01234567
  saring logs --level warn`;

/** `saring logs` */
export function addLogsCommand(program: Command): void {
  program
    .command('logs [name...]')
    .description('what services and servers logged, together in order of time')
    .option('--follow', 'keep printing new lines until Ctrl-C')
    .option('--id <id>', 'only lines with this id')
    .option('--level <level>', `only lines at least as severe: ${LEVELS.join(', ')}`, oneOf(LEVELS))
    .option('--lines <n>', 'at most this many of the newest lines', numberFromOne, 50)
    .option('--json', 'lines as they are in the files')
    .addHelpText('after', LOGS_HELP)
    .action(logs);
}

interface LogsOptions {
  follow?: boolean;
  id?: string;
  level?: string;
  lines: number;
  json?: boolean;
}

interface LogLine {
  /** The service or server. */
  name: string;
  text: string;
  timeMs: number;
}

async function logs(names: string[], { follow, id, level, lines, json }: LogsOptions): Promise<void> {
  const folder = path.join(readFleetState().dir, 'logs');
  const files = await logged(folder, names);
  const isWanted = ({ name, text }: LogLine) =>
    (names.length === 0 || names.includes(name)) &&
    (id === undefined || text.includes(id)) &&
    (level === undefined || severityOf(text) >= LEVELS.indexOf(level));
  const print = (line: LogLine) => process.stdout.write(`${json ? terminalText(line.text) : shown(line)}\n`);
  const positions = new Map<string, number>();
  const found: LogLine[] = [];
  for (const name of files) {
    for (const file of [path.join(folder, `${name}.log.1`), path.join(folder, `${name}.log`)]) {
      const content = await contentOf(file);
      positions.set(file, content.lastIndexOf('\n') + 1);
      found.push(...linesOf(name, content.subarray(0, content.lastIndexOf('\n') + 1)).filter(isWanted));
    }
  }
  for (const line of found.toSorted((a, b) => a.timeMs - b.timeMs).slice(-lines)) print(line);
  while (follow) {
    await sleep(POLL_PAUSE_MS);
    const added: LogLine[] = [];
    for (const name of files) {
      const file = path.join(folder, `${name}.log`);
      added.push(...(await addedTo(file, name, positions)).filter(isWanted));
    }
    for (const line of added.toSorted((a, b) => a.timeMs - b.timeMs)) print(line);
  }
}

/**
 * The names of the log files with lines of the named services and servers.
 * @throws CommandFailure for a name that has no log
 */
async function logged(folder: string, names: string[]): Promise<string[]> {
  const found = await readdir(folder).catch(() => []);
  const files = found.filter((file) => file.endsWith('.log')).map((file) => file.slice(0, -'.log'.length));
  const isShared = (name: string) => LIGHT_SERVICES.some((service) => service === name);
  const filesOf = (name: string) =>
    files.filter((file) => file === name || (file === SHARED_PROCESS && isShared(name)));
  const unknown = names.filter((name) => filesOf(name).length === 0);
  if (unknown.length > 0) {
    const known = files.flatMap((file): readonly string[] =>
      file === SHARED_PROCESS ? LIGHT_SERVICES : [file],
    );
    throw new CommandFailure(
      EXIT.usage,
      `there is no log of ${unknown.join(', ')}. There are logs of ${[...new Set(known)].toSorted().join(', ')}.`,
    );
  }
  return names.length > 0 ? [...new Set(names.flatMap(filesOf))] : files.toSorted();
}

async function contentOf(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

/** The lines added since the last look. If a new file has replaced a full one, reads it from its beginning. */
async function addedTo(file: string, name: string, positions: Map<string, number>): Promise<LogLine[]> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  const known = positions.get(file) ?? 0;
  const from = size < known ? 0 : known;
  if (size === from) return [];
  const opened = await open(file);
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(size - from), 0, size - from, from);
    const whole = buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1);
    positions.set(file, from + whole.length);
    return linesOf(name, whole);
  } finally {
    await opened.close();
  }
}

/** A line without its own time or service, as in a stack trace, gets those of the line before. */
function linesOf(file: string, content: Buffer): LogLine[] {
  let timeMs = 0;
  let name = file;
  return content
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      timeMs = timeOf(text) ?? timeMs;
      if (file === SHARED_PROCESS) name = serviceOf(text) ?? name;
      return { name, text, timeMs };
    });
}

/** The service that wrote a line of the log of a shared process. */
function serviceOf(text: string): string | undefined {
  return (/"service":"([^"]+)"/.exec(text) ?? /^saring (\S+) cannot start: /.exec(text))?.[1];
}

/** Reads the time from a line of a service, of NATS or ClickHouse (both log in UTC here), or of PostgreSQL. */
function timeOf(text: string): number | undefined {
  const [, iso] = /"time":"([^"]+)"/.exec(text) ?? [];
  const [, day, time] =
    /(\d{4}[-./]\d{2}[-./]\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)/.exec(text.slice(0, 60)) ?? [];
  const parsed = Date.parse(iso ?? `${day?.replaceAll(/[./]/g, '-')}T${time}Z`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

function severityOf(text: string): number {
  const [, level] = /"level":"(\w+)"/.exec(text) ?? [];
  if (level !== undefined) return LEVELS.indexOf(level);
  return LEVELS.indexOf(/\b(ERROR|FATAL|PANIC|\[ERR\]|<Error>|<Fatal>)/.test(text) ? 'error' : 'info');
}

/** `2026-11-20 09:15:00  models  warn  message  {"job_id":…}` */
function shown({ name, text, timeMs }: LogLine): string {
  const when = timeMs > 0 ? jakartaSecond(new Date(timeMs)) : ' '.repeat('YYYY-MM-DD hh:mm:ss'.length);
  return terminalText(`${when}  ${name.padEnd(WIDEST_NAME)}  ${messageOf(text)}`);
}

function messageOf(text: string): string {
  try {
    const { level, msg, ...rest } = JSON.parse(text) as Record<string, unknown>;
    for (const known of ['time', 'service', 'pid']) delete rest[known];
    const more = Object.keys(rest).length > 0 ? `  ${JSON.stringify(rest)}` : '';
    return `${String(level).padEnd(5)}  ${String(msg)}${more}`;
  } catch {
    return text;
  }
}

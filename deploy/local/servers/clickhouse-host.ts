/**
 * The process that runs the ClickHouse server. The chdb library contains all of it, and its command-line entry point can be
 * configured to listen for HTTP. Arguments: the directory with `config.xml`, after how many milliseconds a stop becomes a kill, and
 * `TCP` if it also listens to the other servers of a cluster.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataType, load, open } from 'ffi-rs';

const O_RDWR = 0o2;
/** The terminal opened below must not become the controlling terminal of this process, because its signals would end it. */
const O_NOCTTY = 0o400;
const SIGABRT = 6;
const PROMPT_PAUSE_MS = 10;

const [given, killAfterMs, ...moreProtocols] = process.argv.slice(2);
if (!given || !killAfterMs) throw new Error('usage: clickhouse-host.ts DIRECTORY KILL_AFTER_MS [TCP]');
const dir = path.resolve(given);
/** A separate file: with /dev/null the server would change the mode of that device for all users. */
const history = path.join(dir, 'history');
openLibraries();
const terminal = becomeInteractive();
enterDoomedDirectory(dir);
rmSync(history, { force: true });
let stopping = false;
void runServer(dir).finally(() => process.exit(stopping ? 0 : 1));
for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.on(event, stop);
await listenWithoutDirectory();

function openLibraries(): void {
  const library = createRequire(import.meta.url).resolve('@chdb/lib-linux-x64-gnu');
  open({ library: 'chdb', path: path.join(path.dirname(library), 'libchdb.so') });
  open({ library: 'c', path: 'libc.so.6' });
}

/**
 * Gives the process a terminal as its standard input. The entry point then waits at its prompt, and does not install the
 * handler that ends the process on any client's network error.
 * @returns the file descriptor of the terminal's other end, where commands are typed
 */
function becomeInteractive(): number {
  const { I32, String: Text } = DataType;
  const controller = callC('posix_openpt', [I32], [O_RDWR | O_NOCTTY]);
  callC('grantpt', [I32], [controller]);
  callC('unlockpt', [I32], [controller]);
  const name = load({
    library: 'c',
    funcName: 'ptsname',
    retType: Text,
    paramsType: [I32],
    paramsValue: [controller],
  });
  callC('dup2', [I32, I32], [callC('open', [Text, I32], [name, O_RDWR | O_NOCTTY]), 0]);
  return controller;
}

function runServer(dir: string): Promise<unknown> {
  const store = path.join(dir, 'store');
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const args = [
    'clickhouse',
    `--path=${store}`,
    `--config-file=${path.join(dir, 'config.xml')}`,
    '--interactive',
    '--disable_suggestion',
    '--log-level=error',
    `--history_file=${history}`,
  ];
  return load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [args.length, args],
    runInNewThread: true,
  });
}

/**
 * Lets clients in only after the working directory has been removed. The server creates its history file as the last step
 * before the prompt, after it has used that directory for the last time.
 */
async function listenWithoutDirectory(): Promise<void> {
  while (!existsSync(history)) await sleep(PROMPT_PAUSE_MS);
  removeDoomedDirectory(dir);
  if (stopping) return;
  // HTTP comes last, so that a client that gets a response over HTTP can rely on the other ports.
  const protocols = [...moreProtocols, 'HTTP'];
  typeLine(protocols.map((protocol) => `SYSTEM START LISTEN ${protocol}`).join('; '));
}

/**
 * Disables the SQL function `file()` for every user of the embedded ClickHouse. No grant protects that function, and the entry
 * point used here is made for a local command line and does not restrict it to a directory: any user could read any file of the
 * host. But the function first asks for the working directory. For a process whose working directory was removed, the kernel
 * returns none, even if another directory gets the same name.
 *
 * The server itself needs the working directory while it starts. So the host enters the directory, and removes it before it
 * lets clients in.
 */
function enterDoomedDirectory(dir: string): void {
  const doomed = doomedDirectory(dir);
  mkdirSync(doomed, { recursive: true });
  process.chdir(doomed);
}

function removeDoomedDirectory(dir: string): void {
  rmSync(doomedDirectory(dir), { recursive: true, force: true });
}

function doomedDirectory(dir: string): string {
  return path.join(dir, 'removed-before-listening');
}

/**
 * Types `exit` at the prompt. The server then waits up to 5 s for open connections, which those of idle clients count as, and shuts
 * its tables down.
 */
function stop(): void {
  if (stopping) return;
  stopping = true;
  endOnAbort();
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(killAfterMs)).unref();
  typeLine('exit');
}

/**
 * When all tables are shut down, the library destroys a pool whose threads it has not joined, and aborts. Its handler of that signal
 * would write a report of four seconds, and the default one could write a core file of gigabytes. This one ends the process with the
 * number of the signal as its exit code.
 */
function endOnAbort(): void {
  const { External, I32, I64, String: Text } = DataType;
  const exit = load({
    library: 'c',
    funcName: 'dlsym',
    retType: External,
    paramsType: [I64, Text],
    paramsValue: [0, '_exit'],
  });
  load({
    library: 'c',
    funcName: 'signal',
    retType: External,
    paramsType: [I32, External],
    paramsValue: [SIGABRT, exit],
  });
}

function typeLine(text: string): void {
  const { I32, I64, String: Text } = DataType;
  callC('write', [I32, Text, I64], [terminal, `${text}\n`, text.length + 1]);
}

function callC(funcName: string, paramsType: DataType[], paramsValue: unknown[]): number {
  const result = load({ library: 'c', funcName, retType: DataType.I32, paramsType, paramsValue });
  if (result < 0) throw new Error(`${funcName} failed`);
  return result;
}

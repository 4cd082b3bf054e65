/**
 * The process that is the ClickHouse server: the library behind chdb holds all of it, and its command-line entry
 * point can be configured to listen for HTTP. Started with the directory that holds `config.xml`,
 * and with `TCP` where it also listens to the other servers of a cluster.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataType, load, open } from 'ffi-rs';
import { enterDoomedDirectory, removeDoomedDirectory } from './lost-working-directory.ts';

const O_RDWR = 0o2;
/** The terminal below must not become this process's controlling terminal, whose signals would end it. */
const O_NOCTTY = 0o400;
const KILL_AFTER_MS = 2_000;
const PROMPT_PAUSE_MS = 10;

const given = process.argv[2];
if (!given) throw new Error('usage: clickhouse-host.ts DIRECTORY');
const dir = path.resolve(given);
/** A file of its own: pointed at /dev/null the server would change that device's mode for everybody. */
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
 * Gives the process a terminal as its standard input. The entry point then waits at its prompt, and does not install
 * the handler that ends the process on any client's network error.
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
 * Lets clients in, but not before the working directory is gone for all of them. The server makes the file of its
 * history as the last thing before the prompt, when it has asked for that directory for the last time.
 */
async function listenWithoutDirectory(): Promise<void> {
  while (!existsSync(history)) await sleep(PROMPT_PAUSE_MS);
  removeDoomedDirectory(dir);
  if (stopping) return;
  // Whoever is answered over HTTP may count on the rest.
  const protocols = [...process.argv.slice(3), 'HTTP'];
  typeLine(protocols.map((protocol) => `SYSTEM START LISTEN ${protocol}`).join('; '));
}

/** Types `exit` at the prompt, which lets running queries end and flushes what waits to be inserted. */
function stop(): void {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS).unref();
  typeLine('exit');
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

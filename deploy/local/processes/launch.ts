import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LivenessProbe } from './liveness.ts';
import { LogFile, type Output } from './log-file.ts';
import { dyingWithParent, type ParentDeathSignal } from './parent-death.ts';
import { StartError } from '../configuration/start-error.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { cannotStart } from '#platform/process/cannot-start.ts';
import { START_PATIENCE_MS } from '#platform/process/waiting.ts';

const PROBE_PAUSE_MS = 40;
const KILL_AFTER_MS = 8_000;
/** Longer than a service waits for what it needs, because its own sentence says more. */
const READY_WITHIN_MS = START_PATIENCE_MS + 60_000;
const SHOWN_LOG_LINES = 12;
/** How long to wait for the last output of a process that has ended: one of its children may keep the output open. */
const LAST_WORDS_MS = 500;

/** One operating-system process of the fleet: how to start it, check that it serves, and stop it. */
export interface ProcessSpec {
  /** The key in `fleet.json` and in the stop order. */
  name: string;
  /** The name for people, for example `PostgreSQL 18`. */
  title: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** The file for standard output and error, within the limits of LogFile. */
  logFile: string;
  /** A command prefix that runs the command as another user. */
  runAs?: string[];
  /** Node children get an IPC channel, which closes when the supervisor exits. */
  ipc: boolean;
  stopSignal: NodeJS.Signals;
  /** How long the process has after the stop signal; 8 s unless given. */
  killAfterMs?: number;
  parentDeathSignal: ParentDeathSignal;
  /** Runs before every start, including restarts. */
  prepare?: () => Promise<void>;
  /** Resolves when the process serves. Rejects when it does not serve yet, with a StartError when it never will. */
  probe: () => Promise<unknown>;
  /** How long a process that neither ends nor gets ready is given; minutes unless given. */
  readyWithinMs?: number;
  /** What a ready process must keep doing. A process that stops doing it is killed and restarted. */
  liveness?: LivenessProbe[];
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  pid: number;
  /** Rejects with a StartError, including the last lines of the log, when the process ends or hangs before it is ready. */
  ready: Promise<void>;
  exited: Promise<ProcessEnd>;
  /** Sends the stop signal, and kills if that takes too long. Resolves when the process has ended and its log is written. */
  stop: () => Promise<ProcessEnd>;
  /** Kills the process and everything it has started, including stopped processes. */
  kill: () => void;
}

/**
 * Starts the process in its own session, so that Ctrl-C only reaches the supervisor, which stops processes in order. Call it
 * from the main thread: the kernel sends the parent-death signal when the calling thread ends.
 */
export async function launch(
  spec: ProcessSpec,
  log: LogFile = new LogFile(spec.logFile),
): Promise<RunningProcess> {
  await spec.prepare?.();
  const [command, ...args] = [
    ...(spec.runAs ?? []),
    ...dyingWithParent(spec.parentDeathSignal),
    spec.command,
    ...spec.args,
  ];
  const child = spawn(command!, args, {
    env: spec.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(spec.ipc ? (['ipc'] as const) : [])],
  });
  const output = log.follow([child.stdout!, child.stderr!]);
  const exited = whenExited(child);
  if (child.pid === undefined)
    throw new StartError(`${spec.title} cannot be started: ${command} cannot be run on this machine.`);
  const ready = whenReady(spec, exited, output);
  ready.catch(() => {});
  // After the process has ended, its id may belong to another process.
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null) killTree(child.pid!);
  };
  return {
    pid: child.pid,
    ready,
    exited,
    kill,
    stop: async () => {
      child.kill(spec.stopSignal);
      const overdue = setTimeout(kill, spec.killAfterMs ?? KILL_AFTER_MS);
      const end = await exited.finally(() => clearTimeout(overdue));
      await lastWords(output);
      await log.flush(LAST_WORDS_MS);
      return end;
    },
  };
}

/** For example `ended with exit code 1` or `was terminated by SIGKILL`. */
export function describeEnd({ code, signal }: ProcessEnd): string {
  return signal ? `was terminated by ${signal}` : `ended with exit code ${code}`;
}

function whenExited(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // A process that never started does not exit. Other errors do not mean that the process has ended.
    child.on('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
  });
}

async function whenReady(spec: ProcessSpec, exited: Promise<ProcessEnd>, output: Output): Promise<void> {
  let end: ProcessEnd | undefined;
  void exited.then((value) => (end = value));
  const { readyWithinMs = READY_WITHIN_MS } = spec;
  const giveUpAt = performance.now() + readyWithinMs;
  let lastResponse = 'no answer';
  while (performance.now() < giveUpAt) {
    try {
      await spec.probe();
      // If the process has already ended, another process answered the probe.
      if (!end) return;
    } catch (error) {
      if (error instanceof StartError) throw error;
      lastResponse = (error as Error).message || 'no answer';
    }
    if (end) {
      await lastWords(output);
      throw failedStart(`${spec.title} ${describeEnd(end)} while starting.`, spec, output);
    }
    await sleep(PROBE_PAUSE_MS);
  }
  const seconds = readyWithinMs / 1000;
  throw failedStart(`${spec.title} was not ready within ${seconds} s (${lastResponse}).`, spec, output);
}

async function lastWords({ ended }: Output): Promise<void> {
  await Promise.race([ended, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
}

function failedStart(sentence: string, spec: ProcessSpec, output: Output): StartError {
  const lines = output.lastLines(Infinity);
  const reasons = cannotStart(lines).map(({ whole }) => whole);
  const log = lines.slice(-SHOWN_LOG_LINES);
  const tail = log.length > 0 ? ['Its last lines:', ...log.map((line) => `    ${line}`)] : [];
  return new StartError([sentence, ...reasons, ...tail, `See the whole log in ${spec.logFile}`].join('\n'));
}

/**
 * Kills a process and everything it has started. Stopped children would otherwise outlive it and keep resources that the next
 * start needs, for example PostgreSQL's shared memory.
 */
function killTree(pid: number): void {
  for (const one of [...descendantsOf(pid), pid]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Only works on Linux. Elsewhere there are no embedded servers, and the services start no processes. */
function descendantsOf(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => childrenOf(pid, task));
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function childrenOf(pid: number, task: string): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

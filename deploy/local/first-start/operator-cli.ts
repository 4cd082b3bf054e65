import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { describeEnd, type ProcessEnd } from '../processes/launch.ts';
import { dyingWithParent } from '../processes/parent-death.ts';
import { PROJECT_ROOT } from '../processes/service-process.ts';
import { StartError } from '../configuration/start-error.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { START_PATIENCE_MS, waitFor } from '#platform/process/waiting.ts';

const CLI = path.join(PROJECT_ROOT, 'cli/saring.js');

/**
 * Runs the operator's command line. Its messages go to the terminal. On a busy machine, or after everything was killed, a store may
 * not answer yet: such a command is run again.
 */
export class OperatorCli {
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;

  constructor(env: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.#env = env;
    this.#signal = signal;
  }

  /** @throws FailedCommand */
  async run(...args: string[]): Promise<void> {
    await this.#untilAnswered(() => this.#spawn(args, 'inherit'));
  }

  /** @returns what the command prints as JSON */
  async json<T>(...args: string[]): Promise<T> {
    const spawned = await this.#untilAnswered(() => this.#spawn([...args, '--json'], 'pipe'));
    return JSON.parse(spawned) as T;
  }

  #untilAnswered<T>(attempt: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + START_PATIENCE_MS;
    const isWorthwhile = (error: unknown) =>
      error instanceof FailedCommand && error.exitCode === EXIT.unavailable && performance.now() < giveUpAt;
    return waitFor('the fleet', attempt, { patienceMs: (error) => (isWorthwhile(error) ? Infinity : 0) });
  }

  async #spawn(args: string[], stdout: 'inherit' | 'pipe'): Promise<string> {
    const [command, ...rest] = [...dyingWithParent('TERM'), process.execPath, CLI, ...args];
    const child = spawn(command!, rest, {
      cwd: PROJECT_ROOT,
      env: this.#env,
      stdio: ['ignore', stdout, 'inherit'],
      // Ctrl-C must reach it only through the supervisor, otherwise its end would look like a failure.
      detached: true,
      signal: this.#signal,
    });
    const ended = new Promise<ProcessEnd>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    const [output, end] = await Promise.all([child.stdout ? text(child.stdout) : '', ended]);
    if (end.code !== 0) throw new FailedCommand(args, end);
    return output;
  }
}

/** A command that failed and has already printed why. */
class FailedCommand extends StartError {
  readonly exitCode: number | null;

  constructor(args: string[], end: ProcessEnd) {
    super(`saring ${args.join(' ')} ${describeEnd(end)}.`);
    this.exitCode = end.code;
  }
}

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity } from '../processes/process-identity.ts';
import { StartError } from '../start-error.ts';
import { PatientSaver } from './write-private-file.ts';

const LEFTOVERS_DEADLINE_MS = 10_000;
const LEFTOVERS_PAUSE_MS = 50;

interface LockRecord {
  supervisor: ProcessIdentity;
  children: Record<string, ProcessIdentity>;
}

/**
 * Keeps a second fleet out of the state directory: two servers on the same files destroy them. The lock outlives a
 * supervisor that was killed, is then recognised as stale, and names the children that must be gone first.
 *
 * It is a directory that holds the owner's record under a name nobody else uses. A directory can be moved only to
 * where none is or an empty one, so of several takers the first one wins; and a taker that removes a stale record
 * by its name can never remove the one that was put there since.
 */
export class StateLock {
  readonly #directory: string;
  readonly #recordName = `${randomUUID()}.json`;
  readonly #record: LockRecord = { supervisor: identify(process.pid), children: {} };
  readonly #childrenSaver = new PatientSaver(() => this.#write(this.#directory));
  #released = false;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * @param signal gives the waiting up
   * @throws StartError when another fleet runs from the same state
   */
  static async take(directory: string, signal?: AbortSignal): Promise<StateLock> {
    const lock = new StateLock(directory);
    for (;;) {
      if (lock.#create()) return lock;
      for (const name of recordNames(directory)) {
        const file = path.join(directory, name);
        const holder = readRecord(file);
        if (holder && isAlive(holder.supervisor)) {
          throw new StartError(
            `Another fleet (process ${holder.supervisor.pid}) already runs from this state directory: stop it, or set STATE_DIR to another one.`,
          );
        }
        await endLeftovers(Object.values(holder?.children ?? {}), signal);
        rmSync(file, { force: true });
      }
    }
  }

  /** Notes which process has a part of the state open; undefined when it has ended. */
  note(name: string, pid: number | undefined): void {
    if (pid === undefined) delete this.#record.children[name];
    else this.#record.children[name] = identify(pid);
    if (!this.#released) this.#childrenSaver.save();
  }

  release(): void {
    this.#released = true;
    this.#childrenSaver.stop();
    rmSync(path.join(this.#directory, this.#recordName), { force: true });
    try {
      rmdirSync(this.#directory);
    } catch (error) {
      // Somebody else's by now.
      if (!isTaken(error) && !isGone(error)) throw error;
    }
  }

  /** Whether this became the owner: the directory is made beside its place and moved there whole. */
  #create(): boolean {
    const whole = `${this.#directory}.${this.#recordName}`;
    mkdirSync(whole, { mode: 0o700 });
    try {
      this.#write(whole);
      renameSync(whole, this.#directory);
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    } finally {
      rmSync(whole, { recursive: true, force: true });
    }
  }

  /** By way of a file beside it, so that a taker never finds half a record in the directory. */
  #write(directory: string): void {
    const unfinished = `${this.#directory}.${this.#recordName}.unfinished`;
    writeFileSync(unfinished, `${JSON.stringify(this.#record)}\n`, { mode: 0o600 });
    renameSync(unfinished, path.join(directory, this.#recordName));
  }
}

function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function recordNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function readRecord(file: string): LockRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockRecord;
  } catch (error) {
    if (error instanceof SyntaxError || isGone(error)) return undefined;
    throw error;
  }
}

/** Children of a killed supervisor end by themselves; one that hangs is ended here. */
async function endLeftovers(children: ProcessIdentity[], signal?: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + LEFTOVERS_DEADLINE_MS;
  while (children.some(isAlive)) {
    const overdue = performance.now() > giveUpAt;
    if (overdue) children.filter(isAlive).forEach(kill);
    await sleep(LEFTOVERS_PAUSE_MS, undefined, { signal });
  }
}

function kill({ pid }: ProcessIdentity): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

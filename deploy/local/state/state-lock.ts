import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';
import { StartError } from '../configuration/start-error.ts';
import { PatientSaver } from './write-private-file.ts';

/** Longer than any process takes to end in order. */
const LEFTOVERS_DEADLINE_MS = 20_000;
const LEFTOVERS_PAUSE_MS = 50;

interface LockRecord {
  supervisor: ProcessIdentity;
  children: Record<string, ProcessIdentity>;
}

/**
 * Keeps a second fleet from using the state directory, because two servers on the same files destroy them. The lock of a killed
 * supervisor remains, is recognised as stale, and names the children that must end first.
 *
 * The lock is a directory that contains the owner's record under a unique name. A directory can only be moved to a place where
 * there is none or an empty one, so the first of several takers wins. A taker that removes a stale record by its name can never
 * remove a newer record.
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
   * @param signal stops waiting
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
            `Another fleet (process ${holder.supervisor.pid}) already runs from this state directory. Stop it, or set STATE_DIR to another one.`,
          );
        }
        await endLeftovers(Object.values(holder?.children ?? {}), signal);
        rmSync(file, { force: true });
      }
    }
  }

  /** Records which process has a part of the state open; undefined when it has ended. */
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
      // Another fleet has already taken the lock.
      if (!isTaken(error) && !isGone(error)) throw error;
    }
  }

  /** Tries to become the owner: creates the directory beside its final place and moves it there. */
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

  /** Writes to a temporary file first, so that a taker never reads half a record. */
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

/** Waits for the children of a killed supervisor to end. Kills those that hang. */
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

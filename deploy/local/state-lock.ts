import { linkSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';
import { StartError } from './start-error.ts';
import { writePrivateFile } from './write-private-file.ts';

const LEFTOVERS_DEADLINE_MS = 10_000;
const LEFTOVERS_PAUSE_MS = 50;

interface LockRecord {
  supervisor: ProcessIdentity;
  children: Record<string, ProcessIdentity>;
}

/**
 * Keeps a second fleet out of the state directory: two servers on the same files destroy them. The lock outlives a
 * supervisor that was killed, is then recognised as stale, and names the children that must be gone first.
 */
export class StateLock {
  readonly #file: string;
  readonly #record: LockRecord = { supervisor: identify(process.pid), children: {} };
  #released = false;

  private constructor(file: string) {
    this.#file = file;
  }

  /** @throws StartError when another fleet runs from the same state */
  static async take(file: string): Promise<StateLock> {
    const lock = new StateLock(file);
    for (;;) {
      if (lock.#create()) return lock;
      const holder = readRecord(file);
      if (holder && isAlive(holder.supervisor)) {
        throw new StartError(
          `Another fleet (process ${holder.supervisor.pid}) already runs from this state directory: stop it, or set STATE_DIR to another one.`,
        );
      }
      await endLeftovers(Object.values(holder?.children ?? {}));
      rmSync(file, { force: true });
    }
  }

  /** Notes which process has a part of the state open; undefined when it has ended. */
  note(name: string, pid: number | undefined): void {
    if (pid === undefined) delete this.#record.children[name];
    else this.#record.children[name] = identify(pid);
    if (!this.#released) writePrivateFile(this.#file, this.#text());
  }

  release(): void {
    this.#released = true;
    rmSync(this.#file, { force: true });
  }

  /** A hard link is made whole or not at all, and only where no file is. */
  #create(): boolean {
    const whole = `${this.#file}.${process.pid}`;
    writePrivateFile(whole, this.#text());
    try {
      linkSync(whole, this.#file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(whole, { force: true });
    }
  }

  #text(): string {
    return `${JSON.stringify(this.#record)}\n`;
  }
}

function readRecord(file: string): LockRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockRecord;
  } catch {
    return undefined;
  }
}

/** Children of a killed supervisor end by themselves; one that hangs is ended here. */
async function endLeftovers(children: ProcessIdentity[]): Promise<void> {
  const giveUpAt = performance.now() + LEFTOVERS_DEADLINE_MS;
  while (children.some(isAlive)) {
    const overdue = performance.now() > giveUpAt;
    if (overdue) children.filter(isAlive).forEach(kill);
    await sleep(LEFTOVERS_PAUSE_MS);
  }
}

function kill({ pid }: ProcessIdentity): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

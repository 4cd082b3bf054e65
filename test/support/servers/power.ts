import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataType, load, open } from 'ffi-rs';
import { identify } from '#local/state/process-identity.ts';
import { descendantsOf, hasStopped, signal } from '../processes/signals.ts';

/** The ioctl EXT4_IOC_SHUTDOWN, and its flag that discards pending writes, including the journal. */
const SHUTDOWN = 0x8004587d;
const NO_LOG_FLUSH = 2;
/** The size of the image, which is a sparse file. */
const SIZE = '4G';
const GONE_DEADLINE_MS = 10_000;
/** A separate process unmounts and removes the rest when this process ends, however it ends. */
const WHEN_ABANDONED = 'cat; umount --lazy "$1"; rm -rf "$2"';

/** Why power cannot be cut on this machine; undefined when it can. */
export async function whyPowerStaysOn(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount an image';
  try {
    await new PoweredDisk().remove();
    return undefined;
  } catch (error) {
    return `no image can be mounted (${(error as Error).message.trim().replaceAll('\n', ' ')})`;
  }
}

/**
 * A file system in an image on a loop device whose power can be cut. Everything that was not synced by then is lost, data as
 * well as file names.
 */
export class PoweredDisk {
  /** The mount point. */
  readonly root: string;
  readonly #dir = mkdtempSync(path.join(tmpdir(), 'saring-power-'));
  readonly #image = path.join(this.#dir, 'image');
  readonly #guard: ChildProcess;

  constructor() {
    this.root = path.join(this.#dir, 'root');
    mkdirSync(this.root);
    this.#guard = spawn('sh', ['-c', WHEN_ABANDONED, 'sh', this.root, this.#dir], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    run('truncate', '--size', SIZE, this.#image);
    run('mkfs.ext4', '-q', '-F', this.#image);
    this.#mount();
  }

  /**
   * Freezes a process and its descendants, cuts the power, and restores it. Afterwards none of the processes runs, and only the
   * files that were on the disk are left.
   */
  async cut(pid: number): Promise<void> {
    const family = await freeze(pid);
    this.#shutDown();
    for (const one of family) signal(one, 'SIGKILL');
    await this.#unmount();
    this.#mount();
  }

  /** Unmounts the file system, which also frees the loop device, and removes the image. */
  async remove(): Promise<void> {
    const removed = new Promise((resolve) => this.#guard.once('exit', resolve));
    this.#guard.stdin!.end();
    await removed;
  }

  #mount(): void {
    run('mount', '-o', 'loop', this.#image, this.root);
  }

  /** Retries until the last killed thread has closed its files. */
  async #unmount(): Promise<void> {
    const giveUpAt = Date.now() + GONE_DEADLINE_MS;
    for (;;) {
      try {
        return run('umount', this.root);
      } catch (error) {
        if (Date.now() > giveUpAt) throw error;
        await sleep(50);
      }
    }
  }

  #shutDown(): void {
    open({ library: 'c', path: 'libc.so.6' });
    const root = openSync(this.root, 'r');
    const flags = Buffer.from(Uint32Array.of(NO_LOG_FLUSH).buffer);
    const { I32, I64, U8Array } = DataType;
    const failed = load({
      library: 'c',
      funcName: 'ioctl',
      retType: I32,
      paramsType: [I32, I64, U8Array],
      paramsValue: [root, SHUTDOWN, flags],
    });
    closeSync(root);
    if (failed !== 0) throw new Error(`the power of ${this.root} could not be cut`);
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'pipe' });
}

/** Stops the process and all its descendants, including those that start before the signal arrives. Returns all of them. */
async function freeze(pid: number): Promise<number[]> {
  const family = new Set<number>();
  for (let known = -1; known < family.size || [...family].some(runs); await sleep(5)) {
    known = family.size;
    for (const one of [pid, ...(await descendantsOf(pid))]) {
      if (!family.has(one)) signal(one, 'SIGSTOP');
      family.add(one);
    }
  }
  return [...family];
}

function runs(pid: number): boolean {
  const isGone = identify(pid).started === undefined;
  return !isGone && !hasStopped(pid);
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { needing } from '#support/needing.ts';

const whyNot = process.getuid?.() === 0 ? mountRefusal() : 'only root may mount one';
/** Options of tests that mount a small disk. */
export const needingSmallDisk = needing(`a small disk (${whyNot})`, whyNot === undefined);

/** A separate disk in memory that can be filled to the last byte. */
export class SmallDisk {
  readonly dir = mkdtempSync(path.join(tmpdir(), 'saring-disk-'));
  readonly #filler = path.join(this.dir, 'filler');

  constructor(megabytes: number) {
    mount(this.dir, megabytes);
  }

  /** Fills the disk. After that not even one byte can be appended to an existing file. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.dir);
    for (let bytes = bavail * bsize; bytes >= bsize; bytes = Math.floor(bytes / 2)) {
      try {
        writeFileSync(this.#filler, Buffer.alloc(bytes), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  }

  free(): void {
    rmSync(this.#filler);
  }

  remove(): void {
    execFileSync('umount', ['--lazy', this.dir]);
    rmSync(this.dir, { recursive: true });
  }
}

function mount(directory: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { stdio: 'pipe' });
}

function mountRefusal(): string | undefined {
  const directory = mkdtempSync(path.join(tmpdir(), 'saring-disk-'));
  try {
    mount(directory, 1);
    execFileSync('umount', [directory]);
    return undefined;
  } catch (error) {
    return `it cannot be mounted (${(error as Error).message.trim()})`;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

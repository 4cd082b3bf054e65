import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Atomically replaces a file that only its owner can read: a reader sees the old or the new text, never a mixture, even after a
 * power cut. The new text is on the disk when this returns, because without its secrets no store can be opened again.
 */
export function writePrivateFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.unfinished`;
  writeFileSync(unfinished, text, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  syncDirectory(path.dirname(file));
}

/** Flushes the names in a directory to the disk. */
export function syncDirectory(directory: string): void {
  const opened = openSync(directory, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

const RETRY_MS = 1_000;

/** Saves repeatedly until the disk accepts it. Reads the data at the last moment, so that the newest is saved. */
export class PatientSaver {
  readonly #save: () => void;
  #retry: NodeJS.Timeout | undefined;

  constructor(save: () => void) {
    this.#save = save;
  }

  /** Never throws: a full disk must not end a process that can continue without the file. */
  save(): void {
    this.stop();
    try {
      this.#save();
    } catch {
      this.#retry = setTimeout(() => this.save(), RETRY_MS).unref();
    }
  }

  stop(): void {
    clearTimeout(this.#retry);
  }
}

import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Replaces a file at once, readable by its owner only: a reader sees the old or the new text, never half of one, and so
 * does whoever reads it after a power cut. On return the new text is on the disk: without its secrets no store can be
 * opened again.
 */
export function writePrivateFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.unfinished`;
  writeFileSync(unfinished, text, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  syncDirectory(path.dirname(file));
}

/** Returns when the names that the directory holds are on the disk. */
export function syncDirectory(directory: string): void {
  const opened = openSync(directory, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

const RETRY_MS = 1_000;

/** Saves again and again until the disk takes it. What is saved is read at the last moment, so that the newest wins. */
export class PatientSaver {
  readonly #save: () => void;
  #retry: NodeJS.Timeout | undefined;

  constructor(save: () => void) {
    this.#save = save;
  }

  /** Never throws: a full disk must not end what would go on without the file. */
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

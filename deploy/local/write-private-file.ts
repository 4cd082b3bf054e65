import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file at once, readable by its owner only: a reader sees the old or the new text, never half of one. */
export function writePrivateFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.unfinished`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}

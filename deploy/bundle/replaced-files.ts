import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '#foundation/iso-day.ts';

/** By its time make sees whether a source is newer. */
const LAST = 'services.js';
const PART = /-[A-Z0-9]{8}\.js/;
const UNFINISHED = '.unfinished';
/** Programs load some parts of themselves at their first use, which may be long after their start. */
const KEPT_MS = DAY_MS;

interface BuiltFile {
  path: string;
  contents: Uint8Array;
}

/**
 * Replaces the files of a build while fleets may run from them, and while others build. A process that starts meanwhile finds a whole
 * program, and one that runs finds the parts that it has yet to load, whose names contain a hash of their content, until a day after
 * they were replaced.
 */
export class ReplacedFiles {
  readonly #folder: string;
  readonly #begunMs = Date.now();
  readonly #builtBeforeMs: number;

  /** Call before anything is read that is built. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#builtBeforeMs = writtenMs(path.join(folder, LAST)) ?? 0;
  }

  by(files: BuiltFile[]): void {
    mkdirSync(this.#folder, { recursive: true });
    for (const file of files.toSorted((a, b) => turnOf(a) - turnOf(b))) this.#write(file);
    this.#removeReplaced(new Set(files.map((file) => file.path)));
  }

  /**
   * The file's time is the moment at which the build began. A source that was saved meanwhile is newer, so the next make builds it.
   * The file system's own times would not do: its clock is some milliseconds behind, so a file could seem older than its build.
   */
  #write({ path: file, contents }: BuiltFile): void {
    const unfinished = `${file}.${process.pid}${UNFINISHED}`;
    writeFileSync(unfinished, contents);
    setTime(unfinished, this.#begunMs);
    renameSync(unfinished, file);
  }

  #removeReplaced(current: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#folder)) {
      const file = path.join(this.#folder, name);
      const ms = writtenMs(file);
      if (ms === undefined || current.has(file)) continue;
      const isJustReplaced = ms >= this.#builtBeforeMs && !name.endsWith(UNFINISHED);
      if (isJustReplaced) setTime(file, this.#begunMs - 1);
      else if (ms < this.#begunMs - KEPT_MS) rmSync(file, { force: true });
    }
  }
}

/** Parts come before the programs that load them. */
function turnOf({ path: file }: BuiltFile): number {
  if (PART.test(file)) return 0;
  return path.basename(file) === LAST ? 2 : 1;
}

/** Undefined if there is no such file. */
function writtenMs(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function setTime(file: string, ms: number): void {
  utimesSync(file, ms / 1_000, ms / 1_000);
}

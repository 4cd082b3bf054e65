import { terminalText } from '#foundation/text/terminal-text.ts';

const SILENCE_MS = 1_800;
/** More would not fit into a line of 80 columns. */
const MAX_NAMED = 2;

interface ProgressOptions {
  write: (text: string) => void;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
}

/** Prints short lines to the terminal, each with the seconds since the start. Never silent for 2 s while work is running. */
export class Progress {
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #underWay = new Set<string>();
  #lastLineAt: number;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor({ write, now }: ProgressOptions) {
    this.#write = write;
    this.#now = now;
    this.#startedAt = this.#lastLineAt = now();
  }

  /** Prints what the user waits for while the work runs, then its outcome. */
  async during<T>(what: string, work: Promise<T>, outcome?: (result: T) => string): Promise<T> {
    this.#underWay.add(what);
    this.#heartbeat ??= setInterval(() => this.#beat(), SILENCE_MS / 4);
    try {
      const result = await work;
      if (outcome) this.step('✓', outcome(result));
      return result;
    } finally {
      this.#underWay.delete(what);
      if (this.#underWay.size === 0) {
        clearInterval(this.#heartbeat);
        this.#heartbeat = undefined;
      }
    }
  }

  /** Milliseconds since the start, the same as in the lines. */
  get elapsedMs(): number {
    return this.#now() - this.#startedAt;
  }

  step(mark: string, sentence: string): void {
    this.print(`  ${mark} ${sentence}   ${(this.elapsedMs / 1000).toFixed(1)} s`);
  }

  print(line: string): void {
    this.#lastLineAt = this.#now();
    this.#write(`${terminalText(line)}\n`);
  }

  #beat(): void {
    if (this.#now() - this.#lastLineAt < SILENCE_MS) return;
    const named = [...this.#underWay].slice(0, MAX_NAMED).join(', ');
    const others = this.#underWay.size - MAX_NAMED;
    this.step('…', `waiting for ${named}${others > 0 ? ` and ${others} more` : ''}`);
  }
}

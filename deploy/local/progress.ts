import { terminalText } from '#shared/text/terminal-text.ts';

const SILENCE_MS = 1_800;
/** More would not fit a line of 80 columns. */
const MAX_NAMED = 2;

interface ProgressOptions {
  write: (text: string) => void;
  /** Milliseconds, monotonic. */
  now: () => number;
}

/** Short lines for the terminal, each with the seconds since the start; never silent for 2 s while work goes on. */
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

  /** Says what is waited for while the work lasts, and then its outcome. */
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

  /** Milliseconds since the start, as the lines count them. */
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

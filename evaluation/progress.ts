import type { RunFacts } from './evaluation.ts';
import type { FailedRun, PastRun } from './past-runs.ts';

interface ProgressTerminal {
  isTTY?: boolean | undefined;
  write: (text: string) => unknown;
}

/** The name of a run in progress lines. */
interface RunName {
  date: string;
  title: string;
}

/** Reports the progress of an evaluation: one line that is rewritten on a terminal, otherwise a line per week. */
export class EvaluationProgress {
  readonly #out: ProgressTerminal;
  readonly #now: () => number;
  readonly #startedAt: number;
  #runsBeganAt = 0;
  #expected = 0;
  #done = 0;
  #week: { date: string; outcomes: string[] } | undefined;

  /** @param now milliseconds, monotonic */
  constructor(out: ProgressTerminal, now: () => number) {
    this.#out = out;
    this.#now = now;
    this.#startedAt = now();
  }

  get elapsedMs(): number {
    return this.#now() - this.#startedAt;
  }

  /** Prints a line that stays. */
  say(sentence: string): void {
    this.#clear();
    this.#out.write(`${sentence}\n`);
  }

  /** Shows the current step, on a terminal only. */
  show(sentence: string): void {
    this.#rewrite(sentence);
  }

  expect(runs: number): void {
    this.#expected = runs;
    this.#runsBeganAt = this.#now();
  }

  begun({ date, title }: RunName): void {
    if (this.#week && this.#week.date !== date) this.#tellWeek();
    this.#rewrite(`${date}  ${title} …  ${this.#times()}`);
  }

  done({ date, title }: RunName, outcome: string): void {
    this.#done++;
    this.#week ??= { date, outcomes: [] };
    this.#week.outcomes.push(`${title} ${outcome}`);
    if (this.#done === this.#expected) this.#tellWeek();
  }

  #tellWeek(): void {
    const { date, outcomes } = this.#week!;
    this.#week = undefined;
    this.say(`${date}  ${outcomes.join(', ')}  ${this.#times()}`);
  }

  #times(): string {
    const spent = this.#now() - this.#runsBeganAt;
    const left = this.#done === 0 ? undefined : (spent / this.#done) * (this.#expected - this.#done);
    const remaining = left === undefined ? '' : `, about ${clock(left)} left`;
    return `[${this.#done}/${this.#expected}; ${clock(this.elapsedMs)}${remaining}]`;
  }

  #rewrite(line: string): void {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[K${line}`);
  }

  #clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K');
  }
}

/** 4:05 for 245 seconds. */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Records how the runs of a model went. */
export class RunLog {
  readonly #failed: RunFacts['failed'] = [];
  readonly #tookMs: number[] = [];

  /** Records a run and returns it if it has a result. */
  note(date: string, run: PastRun | FailedRun): PastRun | undefined {
    if ('failure' in run) {
      this.#failed.push({ date, message: run.failure });
      return undefined;
    }
    this.#tookMs.push(run.tookMs);
    return run;
  }

  get facts(): RunFacts {
    const sorted = this.#tookMs.toSorted((a, b) => a - b);
    return {
      weeks: this.#failed.length + sorted.length,
      failed: this.#failed,
      median_ms: sorted[Math.floor(sorted.length / 2)] ?? null,
      longest_ms: sorted.at(-1) ?? null,
    };
  }
}

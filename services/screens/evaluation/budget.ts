import { ServiceError } from '#foundation/errors/service-error.ts';

interface BudgetOptions {
  /** Evaluations of one key at the same time. */
  atOnce: number;
  /** Days that one key may evaluate within a minute. */
  daysPerMinute: number;
  /** A monotonic clock. */
  nowMs: () => number;
  /** Called whenever the days of a key are used up. */
  onSpent: (apiKeyId: string) => void;
}

const MINUTE_MS = 60_000;

/** Limits what the screens of one key may compute, so that no key keeps the market busy for all others. */
export class EvaluationBudget {
  readonly #options: BudgetOptions;
  /** Evaluations in progress, by key. */
  readonly #running = new Map<string, number>();
  /** Days evaluated since the minute began, by key. */
  readonly #spent = new Map<string, number>();
  #minuteBeganMs: number;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#minuteBeganMs = options.nowMs();
  }

  /**
   * Evaluates screens of a key for so many days.
   * @throws ServiceError rate_limited, which says which part of the budget is used up, and when there is another one; nothing is then spent
   */
  async spend<T>(apiKeyId: string, days: number, evaluate: () => Promise<T>): Promise<T> {
    this.#require(apiKeyId, days);
    this.#add(this.#spent, apiKeyId, days);
    this.#add(this.#running, apiKeyId, 1);
    try {
      return await evaluate();
    } finally {
      this.#add(this.#running, apiKeyId, -1);
    }
  }

  #require(apiKeyId: string, days: number): void {
    const { atOnce, daysPerMinute, nowMs, onSpent } = this.#options;
    if (nowMs() - this.#minuteBeganMs >= MINUTE_MS) {
      this.#spent.clear();
      this.#minuteBeganMs = nowMs();
    }
    if ((this.#running.get(apiKeyId) ?? 0) >= atOnce)
      throw new ServiceError(
        'rate_limited',
        `${atOnce} evaluations of screens of this key are running, which is the most at once.`,
      );
    if ((this.#spent.get(apiKeyId) ?? 0) + days > daysPerMinute) {
      onSpent(apiKeyId);
      throw new ServiceError(
        'rate_limited',
        `The key has used up its ${daysPerMinute} days of screens evaluated within a minute.`,
        { retryAfterSeconds: Math.ceil((this.#minuteBeganMs + MINUTE_MS - nowMs()) / 1_000) },
      );
    }
  }

  /** Keeps only keys that are above zero. */
  #add(counts: Map<string, number>, apiKeyId: string, more: number): void {
    const count = (counts.get(apiKeyId) ?? 0) + more;
    if (count === 0) counts.delete(apiKeyId);
    else counts.set(apiKeyId, count);
  }
}

import type { Calendar } from '#proto/saring/wire/v1/words.ts';
import type { Clock } from '#shared/clock.ts';
import { mondayOf } from '#shared/jakarta-time.ts';
import type { Logger } from '#shared/logger.ts';
import type { NewestTradingDay } from './newest-trading-day.ts';
import type { Attempt, FiringStore } from './store/firing-store.ts';
import type { Submissions } from './submission.ts';

/** An attempt has ended by then, whatever happens: its calls have shorter deadlines. */
const ATTEMPT_MS = 8_000;
const RETRY_MS = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * The models service honours an idempotency key for 24 hours from the first attempt on, if that was one that came
 * through: later ones could run the firing twice.
 */
const ATTEMPTS_WITHIN_MS = 23 * HOUR_MS;
/** Attempts in a round; they run side by side, so that a service that hangs keeps no round for longer than one of them. */
const MAX_ATTEMPTS = 50;
const PURGE_BATCH = 200;

interface FiringsDependencies {
  store: FiringStore;
  submissions: Pick<Submissions, 'submit' | 'giveUp'>;
  newest: Pick<NewestTradingDay, 'known'>;
  clock: Clock;
  log: Logger;
}

/** Notices on which days schedules are due and sees to it that each runs then, once. Any number of processes may. */
export class Firings {
  readonly #deps: FiringsDependencies;

  constructor(deps: FiringsDependencies) {
    this.#deps = deps;
  }

  /** One look at the newest trading day, and an attempt at everything whose turn it is. */
  async round(): Promise<void> {
    const { newest, store } = this.#deps;
    if (newest.known !== undefined) await this.#consider(newest.known);
    await store.dropOrphans();
    const firings = await store.take(MAX_ATTEMPTS, this.#inMs(0), this.#inMs(ATTEMPT_MS));
    await Promise.all(firings.map((firing) => this.#attempt(firing)));
  }

  async #consider(day: string): Promise<void> {
    const { store, clock } = this.#deps;
    for (const schedule of await store.schedulesBefore(day)) {
      if (isDue(schedule.calendar, schedule.after_day, day)) await store.claim(schedule, day, clock());
      else await store.pass(schedule, day);
    }
  }

  async #attempt(firing: Attempt): Promise<void> {
    const { store, submissions, clock, log } = this.#deps;
    const { schedule_id, trading_day, reason: before } = firing;
    const moot = this.#whyMoot(firing);
    const outcome =
      moot === undefined
        ? await submissions.submit(firing)
        : await submissions.giveUp(firing, `${moot}: ${before ?? 'no attempt was answered'}`);
    const about = { schedule_id, trading_day };
    if (outcome.kind === 'accepted') {
      await store.accept(firing, outcome.jobId, clock());
      log.info({ ...about, job_id: outcome.jobId }, 'a scheduled run was accepted');
    } else if (outcome.kind === 'refused') {
      await store.refuse(firing, outcome.reason, clock());
      log.warn({ ...about, reason: outcome.reason }, 'a scheduled run was refused');
    } else {
      await store.postpone(firing, outcome.reason, this.#inMs(RETRY_MS));
      if (outcome.reason !== before) log.warn({ ...about, reason: outcome.reason }, 'a scheduled run waits');
    }
  }

  /** Why no run should begin for the firing any more. */
  #whyMoot({ first_attempt_at, newer_day }: Attempt): string | undefined {
    if (newer_day !== null) return `Given up when ${newer_day} came`;
    const sinceMs = this.#inMs(0).getTime() - (first_attempt_at?.getTime() ?? Infinity);
    return sinceMs > ATTEMPTS_WITHIN_MS ? `Given up after ${ATTEMPTS_WITHIN_MS / HOUR_MS} hours` : undefined;
  }

  #inMs(ms: number): Date {
    return new Date(this.#deps.clock().getTime() + ms);
  }
}

/**
 * Whether a schedule is due, once the newest trading day of the dataset has become `newest` after it was `before` (days
 * as YYYY-MM-DD). It is when the newest day lies in a later day, week or month: every earlier trading day of that period
 * would itself have been the newest at some time, so this is the first one, or came together with it. Of days that
 * come at once nothing but the newest is asked about: an investor wants one list of today, not five old ones.
 */
export function isDue(calendar: Calendar, before: string, newest: string): boolean {
  return periodOf(calendar, newest) > periodOf(calendar, before);
}

/** What a schedule runs once in: the day, the Monday of its ISO week, or the month. Later periods are greater. */
function periodOf(calendar: Calendar, day: string): string {
  if (calendar === 'daily') return day;
  return calendar === 'weekly' ? mondayOf(day) : day.slice(0, 'YYYY-MM'.length);
}

/** Removes outcomes past their retention, in small steps; `signal` ends it between two of them. */
export async function purgeFirings(
  store: Pick<FiringStore, 'purge'>,
  clock: Clock,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  if (retentionDays === 0) return;
  const before = new Date(clock().getTime() - retentionDays * DAY_MS);
  while (!signal.aborted && (await store.purge(before, PURGE_BATCH)) === PURGE_BATCH);
}

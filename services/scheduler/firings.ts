import type { Calendar } from '#proto/saring/wire/v1/words.ts';
import type { Clock } from '#foundation/clock.ts';
import { jakartaDateTime, mondayOf } from '#foundation/jakarta-time.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { ServedMarket } from '#shared/market/newest-trading-day.ts';
import type { Attempt, FiringStore } from './store/firing-store.ts';
import type { Place } from './store/schedule-store.ts';
import type { Submissions } from './submission.ts';

/** Every attempt ends within this time, because its calls have shorter deadlines. */
const ATTEMPT_MS = 8_000;
const RETRY_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * The models service honours an idempotency key for 24 hours from the first attempt that reached it. A later attempt could run
 * the firing twice.
 */
const ATTEMPTS_WITHIN_MS = 23 * HOUR_MS;
/** Attempts in a round. They run in parallel, so a service that hangs delays a round by one attempt at most. */
const MAX_ATTEMPTS = 50;

interface FiringsDependencies {
  store: FiringStore;
  submissions: Pick<Submissions, 'submit' | 'giveUp'>;
  newest: { readonly known: ServedMarket | undefined };
  /** How long schedules wait while the served market ends before the day that they have come to. */
  heldUpMs: number;
  clock: Clock;
  log: Logger;
}

/** Finds the days on which schedules are due and starts the run of each once. Safe to run in any number of processes. */
export class Firings {
  readonly #deps: FiringsDependencies;
  /** Why each schedule was behind in the last round, by its id. */
  #behind = new Map<string, string>();
  #market: string | undefined;

  constructor(deps: FiringsDependencies) {
    this.#deps = deps;
  }

  /** Checks the newest trading day once, and attempts every firing that is ready. */
  async round(): Promise<void> {
    const { newest, store } = this.#deps;
    await store.dropOrphans();
    const served = newest.known;
    if (served === undefined) return;
    await this.#consider(served);
    const firings = await store.take(MAX_ATTEMPTS, served.market, this.#inMs(0), this.#inMs(ATTEMPT_MS));
    await Promise.all(firings.map((firing) => this.#attempt(firing)));
  }

  async #consider(served: ServedMarket): Promise<void> {
    const { store, clock } = this.#deps;
    const { day } = served;
    await store.enter(served);
    for (const placed of await store.placed('<', served)) {
      const { calendar, after_day } = placed;
      if (isDue(calendar, after_day, day))
        await store.claim(placed, { day, periodStart: periodStart(calendar, day) }, clock());
      else await store.pass(placed, day);
    }
    await store.noteBehind(served, clock());
    await this.#goOn(served);
    await this.#warn(served);
  }

  /** Takes the newest day of the market as the place of schedules that it has held up for too long. */
  async #goOn(served: ServedMarket): Promise<void> {
    const { store, heldUpMs, log } = this.#deps;
    for (const placed of await store.placed('>', served)) {
      const { id: schedule_id, after_day, behind_since } = placed;
      if (behind_since === null || behind_since > this.#inMs(-heldUpMs)) continue;
      await store.pass(placed, served.day);
      const reason = `${sayEnds(served, after_day)} It was held up for ${heldUpMs / MINUTE_MS} minutes.`;
      log.warn({ schedule_id, reason }, `a schedule goes on from ${served.day}`);
    }
  }

  /** Warns once for each schedule when the served market does not reach its place, and when another market is served. */
  async #warn(served: ServedMarket): Promise<void> {
    const { store, heldUpMs, log } = this.#deps;
    const { market } = served;
    if (this.#market !== undefined && this.#market !== market) {
      for (const { id: schedule_id, after_day } of await store.placed('>=', served)) {
        const reason = `The ${market} market is served instead of the ${this.#market} one. In it, the schedule has come to ${after_day}.`;
        log.warn({ schedule_id, reason }, 'a schedule goes by another market');
      }
    }
    this.#market = market;
    const behind = new Map<string, string>();
    for (const { id: schedule_id, ...place } of await store.placed('>', served)) {
      const reason = sayBehind(served, place, { heldUpMs, now: this.#inMs(0) });
      if (this.#behind.get(schedule_id) !== reason)
        log.warn({ schedule_id, reason }, 'a schedule is held up');
      behind.set(schedule_id, reason);
    }
    this.#behind = behind;
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
      if (outcome.endsBecause !== undefined) await store.endSchedule(schedule_id, outcome.endsBecause);
      log.warn({ ...about, reason: outcome.reason }, 'a scheduled run was refused');
    } else {
      await store.postpone(firing, outcome.reason, this.#inMs(RETRY_MS));
      if (outcome.reason !== before) log.warn({ ...about, reason: outcome.reason }, 'a scheduled run waits');
    }
  }

  /** Why no run should start for the firing any more. Undefined while one should. */
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
 * Whether a schedule is due once the newest trading day of the dataset changes from `before` to `newest` (days as YYYY-MM-DD).
 * It is due when `newest` lies in a later day, week or month. Every earlier trading day of that period would have been the
 * newest day at some time, so `newest` is the first day of the period or arrived together with it. When several days arrive
 * together, only the newest one counts: an investor wants one list of today, not five old ones.
 */
export function isDue(calendar: Calendar, before: string, newest: string): boolean {
  return newest > periodEnd(calendar, before);
}

/**
 * The last calendar day of the period in which a schedule runs once: of the day, its ISO week or its month. A schedule that has
 * come to `day` fires on the first trading day after it.
 */
export function periodEnd(calendar: Calendar, day: string): string {
  if (calendar === 'daily') return day;
  const end = new Date(`${day}T00:00:00Z`);
  if (calendar === 'weekly') end.setUTCDate(end.getUTCDate() + ((7 - end.getUTCDay()) % 7));
  else end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return end.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The first calendar day of the same period. */
export function periodStart(calendar: Calendar, day: string): string {
  if (calendar === 'daily') return day;
  return calendar === 'weekly' ? mondayOf(day) : `${day.slice(0, 'YYYY-MM-'.length)}01`;
}

/** Says that the served market ends before the day that a schedule has come to, and until when it waits. */
export function sayBehind(
  served: ServedMarket,
  { after_day, behind_since }: Place,
  { heldUpMs, now }: { heldUpMs: number; now: Date },
): string {
  const goesOnAt = new Date((behind_since ?? now).getTime() + heldUpMs);
  return `${sayEnds(served, after_day)} If the market has not reached that day by ${jakartaDateTime(goesOnAt)}, it goes on from ${served.day}.`;
}

function sayEnds({ market, day }: ServedMarket, place: string): string {
  return `The served ${market} market ends on ${day}, and the schedule has come to ${place}.`;
}

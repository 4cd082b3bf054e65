import type { SourceState } from '#proto/saring/events/v1/feeds.ts';
import type { Dataset, Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import { dueMoment, freshness, newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { Clock } from '#foundation/clock.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import type { MarketPace } from '#platform/configuration/settings.ts';
import type { FeedHeartbeats } from '#shared/life-signs/feed-heartbeats.ts';
import { wholeUntil } from '#shared/market/newest-trading-day.ts';
import { reasonOf, type FoundCause } from './freshness-reasons.ts';

/** Days that an accelerated market may lack: publishing one takes longer on a busy machine. */
const ACCELERATED_PATIENCE_DAYS = 2;
/** Of many missing days the newest are named, because figures of today depend on them. */
const SHOWN_MISSING_DAYS = 10;
const LAST_MONTH = 12;
/** A judgement by the calendar is kept for so long. It walks over the missing days, which takes tens of milliseconds for ten years. */
const CALENDAR_LIFETIME_MS = 60_000;
/** One by the pace, whose days may take five seconds. It walks over the days of that time alone. */
const PACE_LIFETIME_MS = 1_000;

interface FreshnessDependencies {
  calendar: TradingCalendar;
  clock: Clock;
  /** When a generated market gets its next day. */
  pace: MarketPace;
  /** Milliseconds for each day of a generated market at an accelerated pace. */
  syntheticDayMs: number;
  feed: Pick<FeedHeartbeats, 'sources'>;
}

/** The days that a market lacks at a moment. */
interface Judgement {
  expectedAsOf: string;
  /** Ascending, YYYY-MM-DD. */
  missing: readonly string[];
  /** Whether one of them is only assumed to be a trading day. */
  mayBeClosed: boolean;
  isLate: boolean;
  /** When the first missing day was due. */
  behindSince: Date | undefined;
}

/** Judges how fresh the served market is, by the calendar or by the pace of a generated market, and says why days are missing. */
export class MarketFreshness {
  readonly #deps: FreshnessDependencies;
  readonly #startedAt: Date;
  #last: { dataset: Dataset; at: number; judgement: Judgement } | undefined;

  constructor(deps: FreshnessDependencies) {
    this.#deps = deps;
    this.#startedAt = deps.clock();
  }

  /** How fresh a dataset is now. `reason` is in Bahasa Indonesia. */
  of(dataset: Dataset): Freshness {
    const { expectedAsOf, missing, mayBeClosed, isLate, behindSince } = this.#judge(dataset);
    const cause = missing.length > 0 ? this.#causeFor(dataset) : undefined;
    const said = cause && reasonOf(cause, mayBeClosed);
    return {
      data_as_of: wholeUntil(dataset),
      expected_as_of: expectedAsOf,
      behind_trading_days: missing.length,
      is_late: isLate,
      behind_since: behindSince,
      cause: cause?.word,
      reason: said?.reason.in.id,
      reason_english: said?.reason.in.en,
      advice: said?.advice,
      missing_days: dataset.missing_days.slice(-SHOWN_MISSING_DAYS),
      missing_day_count: dataset.missing_days.length,
      unlisted_year: isSynthetic(dataset) ? undefined : this.#unlistedYear(),
      partial_day: dataset.last_date > wholeUntil(dataset) ? dataset.last_date : undefined,
    };
  }

  /** The exchange announces the closures of a year months before it begins. */
  #unlistedYear(): number | undefined {
    const { calendar, clock } = this.#deps;
    const [year, month] = jakartaDay(clock()).split('-').map(Number) as [number, number];
    const isNear = (one: number) => one === year || month === LAST_MONTH;
    return [year, year + 1].find((one) => isNear(one) && !calendar.facts.listedYears.includes(one));
  }

  #judge(dataset: Dataset): Judgement {
    const { clock, pace } = this.#deps;
    const now = clock();
    const isAccelerated = this.#goesOn(dataset) && pace === 'accelerated';
    const age = now.getTime() - (this.#last?.at ?? 0);
    const lifetimeMs = isAccelerated ? PACE_LIFETIME_MS : CALENDAR_LIFETIME_MS;
    if (this.#last?.dataset === dataset && age >= 0 && age < lifetimeMs) return this.#last.judgement;
    const judgement = isAccelerated ? this.#byPace(dataset, now) : this.#byCalendar(dataset, now);
    this.#last = { dataset, at: now.getTime(), judgement };
    return judgement;
  }

  #byCalendar(dataset: Dataset, now: Date): Judgement {
    const lastDay = wholeUntil(dataset);
    const { calendar } = this.#deps;
    const { expectedAsOf, isLate, isAssumed: mayBeClosed } = freshness(calendar, lastDay, now);
    const missing = calendar.missingDays(lastDay, expectedAsOf);
    const behindSince = missing.length > 0 ? dueMoment(calendar, missing[0]!) : undefined;
    return { expectedAsOf, missing, mayBeClosed, isLate, behindSince };
  }

  /**
   * A day is due for each day's time since the last was published, while this service ran, and none that the exchange has not had.
   * To make and publish one takes a part of that time, so that it is missing only when the next one begins.
   */
  #byPace(dataset: Dataset, now: Date): Judgement {
    const [lastDay, { published_at }] = [wholeUntil(dataset), dataset];
    const { calendar, syntheticDayMs } = this.#deps;
    const since = Math.max(published_at?.getTime() ?? 0, this.#startedAt.getTime());
    const days = Math.max(0, Math.floor((now.getTime() - since) / syntheticDayMs) - 1);
    const newest = newestDueDay(calendar, now);
    const missing: string[] = [];
    let day = calendar.nextTradingDay(lastDay);
    while (missing.length < days && day <= newest) {
      missing.push(day);
      day = calendar.nextTradingDay(day);
    }
    return {
      expectedAsOf: missing.at(-1) ?? lastDay,
      missing,
      mayBeClosed: missing.some((isoDate) => calendar.day(isoDate).isAssumed),
      isLate: missing.length > ACCELERATED_PATIENCE_DAYS,
      behindSince: missing.length > 0 ? new Date(since + 2 * syntheticDayMs) : undefined,
    };
  }

  /** Whether it is a generated market that gets more days. One that came from files cannot be continued. */
  #goesOn({ generated }: Dataset): boolean {
    return generated !== undefined && this.#deps.pace !== 'off';
  }

  /** Undefined until the feed has been heard, or has been silent for long enough. */
  #causeFor(dataset: Dataset): FoundCause | undefined {
    if (isSynthetic(dataset) && !this.#goesOn(dataset)) return { word: 'stands_still' };
    const known = this.#deps.feed.sources();
    if (known === undefined) return undefined;
    if (known === 'none') return { word: 'no_feed' };
    const sources = known.filter(({ format }) => brings(format, dataset));
    // A source that fails says more than one that waits.
    for (const state of ['failing', 'paused', 'fetching', 'waiting'] as const) {
      const source = sources.find((one) => stateOf(one) === state);
      if (source) return { word: state, source };
    }
    return { word: 'no_source' };
  }
}

function isSynthetic({ kind }: Dataset): boolean {
  return kind === 'synthetic';
}

/** Whether a source of this format brings days of bars of the market. */
function brings(format: string, dataset: Dataset): boolean {
  return isSynthetic(dataset) ? format === 'generator' : format !== 'generator';
}

/** A source that has nothing to do waits too, as long as days are missing. */
function stateOf({ state }: SourceState): string {
  return state === 'idle' ? 'waiting' : state;
}

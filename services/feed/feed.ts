import { Gauge } from 'prom-client';
import type { SourceState } from '#proto/saring/events/v1/feeds.ts';
import type { CatchUp, FeedSource } from '#proto/saring/feed/v1/feed.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { Clock } from '#foundation/clock.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { isCalendarDay, jakartaDay, startOfJakartaDay } from '#foundation/jakarta-time.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import { metricsOf } from '#platform/operations/metrics.ts';
import type { Operations } from '#platform/process/operations.ts';
import type { Source } from './sources/source.ts';
import type { FetchStore } from './store/fetch-store.ts';
import type { SourceRow, SourceStore } from './store/source-store.ts';

/** The exchange's electronic archive begins here. */
const FIRST_DAY = '2015-01-02';

interface FeedDependencies {
  sources: readonly Source[];
  store: SourceStore;
  fetches: FetchStore;
  calendar: TradingCalendar;
  clock: Clock;
}

/** What operators see of the sources and do with them. */
export class Feed {
  readonly #deps: FeedDependencies;

  constructor(deps: FeedDependencies) {
    this.#deps = deps;
  }

  /** In the order of their declaration. */
  async list(): Promise<FeedSource[]> {
    const { sources, store, fetches, clock } = this.#deps;
    const today = startOfJakartaDay(jakartaDay(clock()));
    const [rows, counts] = await Promise.all([store.list(), fetches.counts(today)]);
    return sources.flatMap((source) => {
      const row = rows.find(({ name }) => name === source.name);
      return row ? [this.#describe(source, row, counts.get(source.name) ?? 0)] : [];
    });
  }

  /** Those that bring bars, as heartbeats tell them: broker rows do not make a market newer. */
  async barSources(): Promise<SourceState[]> {
    const withBars = new Set(this.#deps.sources.filter(({ hasBars }) => hasBars).map(({ name }) => name));
    const listed = await this.list();
    return listed
      .filter(({ name }) => withBars.has(name))
      .map(({ name, format, state, reason }) => ({ name, format, state, reason }));
  }

  /** How each declared source does. One that failed and is being asked again still counts as failing. */
  async progress(): Promise<{ name: string; isFailing: boolean; lastPublishedAt: Date | null }[]> {
    const declared = new Set(this.#deps.sources.map(({ name }) => name));
    const rows = await this.#deps.store.list();
    return rows
      .filter(({ name }) => declared.has(name))
      .map(({ name, failures, paused_at, last_published_at }) => ({
        name,
        isFailing: failures > 0 && paused_at === null,
        lastPublishedAt: last_published_at,
      }));
  }

  /** @throws ServiceError not_found for an unknown source, invalid_request for a span that it cannot bring */
  async run(name: string, from: string | undefined, to: string | undefined): Promise<FeedSource> {
    const { store, clock } = this.#deps;
    this.#find(name);
    await store.askNow(name, clock(), this.#span(name, from, to));
    return this.#show(name);
  }

  /** @throws ServiceError not_found for an unknown source */
  async pause(name: string, reason: string): Promise<FeedSource> {
    const { store, clock } = this.#deps;
    this.#find(name);
    await store.pause(name, reason, clock());
    return this.#show(name);
  }

  /** @throws ServiceError not_found for an unknown source */
  async resume(name: string): Promise<FeedSource> {
    const { store, clock } = this.#deps;
    this.#find(name);
    await store.resume(name, clock());
    return this.#show(name);
  }

  #span(
    name: string,
    from: string | undefined,
    to: string | undefined,
  ): { from: string; to: string } | undefined {
    const { calendar, clock } = this.#deps;
    if (from === undefined && to === undefined) return undefined;
    const today = jakartaDay(clock());
    const problem = (field: string, msg: string, input: unknown): FieldError => ({
      loc: [field],
      msg,
      type: 'value_error',
      input,
    });
    const last = to ?? today;
    const detail: FieldError[] = [];
    for (const [field, day] of [
      ['from', from],
      ['to', last],
    ] as const) {
      if (day === undefined) detail.push(problem(field, 'must be given together with `to`', day));
      else if (!isCalendarDay(day)) detail.push(problem(field, 'must be an existing day, YYYY-MM-DD', day));
      else if (day < FIRST_DAY || day > today)
        detail.push(problem(field, `must be from ${FIRST_DAY} to ${today}`, day));
    }
    refuse(detail);
    if (!this.#find(name).hasDays)
      refuse([problem('from', 'the source brings files, which have no span of days', from)]);
    if (calendar.tradingDays(from!, last).length === 0)
      refuse([problem('from', `there is no trading day from ${from} to ${last}`, from)]);
    return { from: from!, to: last };
  }

  #find(name: string): Source {
    const { sources } = this.#deps;
    const source = sources.find((declared) => declared.name === name);
    if (source) return source;
    const names = sources.map((declared) => declared.name).join(', ') || 'none';
    throw new ServiceError('not_found', `There is no source ${name}. Declared: ${names}.`);
  }

  async #show(name: string): Promise<FeedSource> {
    const source = (await this.list()).find((listed) => listed.name === name);
    if (!source) throw new ServiceError('not_found', `There is no source ${name}.`);
    return source;
  }

  #describe(source: Source, row: SourceRow, requestsToday: number): FeedSource {
    return {
      name: source.name,
      format: source.format,
      origin: source.origin,
      state: this.#stateOf(row),
      last_day: row.last_day ?? undefined,
      last_published_at: row.last_published_at ?? undefined,
      due_day: row.due_subject ?? undefined,
      next_attempt_at: row.paused_at ? undefined : row.next_attempt_at,
      reason: (row.paused_at ? row.pause_reason : row.reason) ?? undefined,
      requests_today: requestsToday,
      requests_per_day: source.requestsPerDay,
      catch_up: this.#catchUpOf(row),
    };
  }

  #stateOf({ paused_at, leased_until, failures, due_subject }: SourceRow): FeedSource['state'] {
    if (paused_at) return 'paused';
    if (leased_until && leased_until >= this.#deps.clock()) return 'fetching';
    if (failures > 0) return 'failing';
    return due_subject === null ? 'idle' : 'waiting';
  }

  #catchUpOf({ catch_up_from: from, catch_up_to: to, catch_up_done: done }: SourceRow): CatchUp | undefined {
    if (from === null || to === null) return undefined;
    const days = this.#deps.calendar.tradingDays(from, to);
    return {
      from,
      to,
      days: days.length,
      days_done: days.filter((day) => done !== null && day <= done).length,
    };
  }
}

const failing = new Gauge({
  name: 'saring_feed_failing_sources',
  help: 'Sources of market data whose last attempt failed, without those that are paused.',
  registers: [metricsOf('feed')],
});
const lastPublished = new Gauge({
  name: 'saring_feed_source_last_published_timestamp_seconds',
  help: 'When each source of market data last brought something new. None before the first time.',
  labelNames: ['source'],
  registers: [metricsOf('feed')],
});

/** Regularly measures how the sources do. Copies of the feed measure the same. Returns a function that stops it. */
export function measureFeed(operations: Operations, feed: Pick<Feed, 'progress'>): () => Promise<unknown> {
  return operations.measure('sources', [failing, lastPublished], async () => {
    const sources = await feed.progress();
    failing.set(sources.filter(({ isFailing }) => isFailing).length);
    lastPublished.reset();
    for (const { name: source, lastPublishedAt } of sources)
      if (lastPublishedAt) lastPublished.set({ source }, lastPublishedAt.getTime() / 1_000);
  });
}

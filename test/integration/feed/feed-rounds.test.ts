import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import type { DatasetPublisher } from '#services/feed/market/dataset-publisher.ts';
import { Feed } from '#services/feed/feed.ts';
import { Rounds } from '#services/feed/rounds.ts';
import { SourceFailure, type Problem } from '#services/feed/deliveries/source-failure.ts';
import type { Delivered } from '#services/feed/deliveries/delivery.ts';
import type { DueRequest, Source } from '#services/feed/sources/source.ts';
import { FetchStore } from '#services/feed/store/fetch-store.ts';
import { SourceStore } from '#services/feed/store/source-store.ts';
import { feedDatabase } from '#support/feed/feed-database.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
const log = pino({ level: 'silent' });
const stored = feedDatabase(servers);

const FIRST_DAY = '2026-06-02';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What a source does when it is asked for a day. `killed` ends the process then and there, without a trace in the log. */
type Behaviour = 'brings' | 'brings yesterday' | 'killed' | 'published and killed' | Problem;
const FAULTS: Behaviour[] = [
  ...(['not_published', 'bot_wall', 'rate_limited', 'unreachable', 'changed_shape', 'truncated'] as const),
  ...(['brings yesterday', 'killed', 'published and killed'] as const),
];

class Killed extends Error {}

/** A market, a source of its days that does as it is told, and a clock that the test moves. */
class World implements Source {
  readonly name: string;
  readonly format = 'idx_summary';
  readonly origin = 'scripted';
  readonly hasBars = true;
  readonly hasDays = true;
  readonly lookEveryMs = 10 * MINUTE_MS;
  requestsPerDay = 10_000;
  now = new Date(`${FIRST_DAY}T08:00:00+07:00`);
  /** The numbers of each day in the served market. */
  readonly contents = new Map([[IDX_CALENDAR.previousTradingDay(FIRST_DAY), '']]);
  readonly asked: string[] = [];
  /** The last whole day of the served market. */
  wholeUntil = '9999-12-31';
  /** The next answers, in order. When they are used up, the source brings what it is asked for. */
  script: Behaviour[] = [];
  versions = 0;
  readonly store = new SourceStore(stored.database);
  readonly fetches = new FetchStore(stored.database);
  #rounds: Rounds;

  constructor(name: string) {
    this.name = name;
    this.#rounds = this.#copy();
  }

  #copy(): Rounds {
    return new Rounds({
      store: this.store,
      fetches: this.fetches,
      served: {
        read: async () => ({
          version: `v${this.versions}`,
          kind: 'real',
          isGenerated: false,
          days: [...this.contents.keys()].toSorted(),
          wholeUntil: this.wholeUntil,
          brokerLastDay: '',
          publishedAt: this.now,
        }),
      },
      publisher: undefined as unknown as DatasetPublisher,
      tradingDays: (from, to) => IDX_CALENDAR.tradingDays(from, to),
      onPublished: async () => {},
      clock: () => this.now,
      log,
    });
  }

  /** Days of the served market that came from the source. */
  get brought(): string[] {
    return [...this.contents.keys()].slice(1).toSorted();
  }

  get feed(): Feed {
    const { store, fetches } = this;
    return new Feed({ sources: [this], store, fetches, calendar: IDX_CALENDAR, clock: () => this.now });
  }

  async due({ market, now }: DueRequest): Promise<string[]> {
    const missing = IDX_CALENDAR.missingDays(
      IDX_CALENDAR.previousTradingDay(FIRST_DAY),
      newestDueDay(IDX_CALENDAR, now),
    );
    return missing.filter((day) => !market.days.includes(day) || day > market.wholeUntil);
  }

  /** Called at the start of each fetch. */
  onFetch = async () => {};

  async fetch(day: string) {
    this.asked.push(day);
    await this.onFetch();
    const behaviour = this.script.shift() ?? 'brings';
    if (behaviour === 'killed') throw new Killed();
    const content = behaviour === 'brings yesterday' ? IDX_CALENDAR.previousTradingDay(day) : day;
    if (['brings', 'brings yesterday', 'published and killed'].includes(behaviour)) {
      if (behaviour === 'published and killed') this.#diesAfterPublishing = true;
      return { bytes: 100, rows: 3, findings: [], digest: `numbers of ${content}`, files: [] };
    }
    throw new SourceFailure(behaviour as Problem, `told to be ${behaviour}`, {
      ...(behaviour === 'rate_limited' ? { retryAfterMs: 30_000 } : {}),
    });
  }

  #diesAfterPublishing = false;

  async publish(delivered: Delivered[]): Promise<ImportOutcome> {
    for (const { subject, delivery } of delivered) this.contents.set(subject, delivery.digest);
    this.versions++;
    if (this.#diesAfterPublishing) {
      this.#diesAfterPublishing = false;
      throw new Killed();
    }
    const dataset = { version: `v${this.versions}` } as ImportOutcome['dataset'];
    return {
      dataset,
      rejections: [],
      findings: [],
      elapsed_ms: 1,
      unchanged: false,
      broker_table: undefined,
      unstored_rows: [],
    };
  }

  /** Rounds until the time has passed. A killed process is replaced by another one. */
  async pass(ms: number, stepMs = 10_000): Promise<void> {
    const end = this.now.getTime() + ms;
    while (this.now.getTime() < end) {
      await this.#rounds.serve(this, new AbortController().signal).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        this.#rounds = this.#copy();
      });
      const { next_attempt_at: next } = (await this.store.find(this.name))!;
      this.now = new Date(Math.min(end, Math.max(this.now.getTime() + stepMs, next.getTime())));
    }
  }

  async state() {
    const [source] = await this.feed.list();
    return source!;
  }

  log() {
    return this.fetches.list({ source: this.name }, 1_000);
  }
}

let worlds = 0;
async function world(): Promise<World> {
  const made = new World(`scripted-${++worlds}`);
  await made.store.declare([made.name], made.now);
  return made;
}

const evening = (day: string) => new Date(`${day}T18:40:00+07:00`);

test('what is quoted of a source is stored, whatever characters it has', async () => {
  const { fetches, name } = await world();
  const id = await fetches.begin(name, FIRST_DAY, new Date());
  const quoted = ['a\0b', '\ud83d'];
  await fetches.received(id, { bytes: 1, rows: 1, findings: quoted, digest: '', files: [] });
  await fetches.failed([id], new SourceFailure('truncated', 'It sent \0 here.'), new Date());
  const [logged] = await fetches.list({ source: name }, 1);
  expect(logged).toMatchObject({ reason: 'It sent \ufffd here.', findings: ['a\ufffdb', '\ufffd'] });
});

test('a day is asked for once it is due, published once, and nothing is asked for before the next is due', async () => {
  const own = await world();
  await own.pass(HOUR_MS);
  expect(own.asked).toEqual([]);
  own.now = evening(FIRST_DAY);
  await own.pass(HOUR_MS);
  expect(own.asked).toEqual([FIRST_DAY]);
  expect(own.brought).toEqual([FIRST_DAY]);
  expect(await own.state()).toMatchObject({ state: 'idle', last_day: FIRST_DAY, reason: undefined });
  expect(await own.log()).toMatchObject([
    { subject: FIRST_DAY, outcome: 'published', dataset_version: 'v1' },
  ]);
});

test('a day that came partial is asked for again after each rest until it is whole, and what is due stays known', async () => {
  const own = await world();
  own.wholeUntil = IDX_CALENDAR.previousTradingDay(FIRST_DAY);
  own.now = evening(FIRST_DAY);
  await own.pass(40 * MINUTE_MS, 1_000);
  expect(own.asked).toEqual([FIRST_DAY, FIRST_DAY, FIRST_DAY]);
  expect(await own.state()).toMatchObject({ state: 'waiting', due_day: FIRST_DAY });
  await own.feed.run(own.name, undefined, undefined);
  await own.pass(10_000);
  expect(own.asked).toHaveLength(4);
  own.wholeUntil = FIRST_DAY;
  await own.pass(HOUR_MS);
  expect(own.asked).toHaveLength(4);
  expect(await own.state()).toMatchObject({ state: 'idle' });
});

test('several missing days come oldest first in one version', async () => {
  const own = await world();
  own.now = evening('2026-06-05');
  await own.pass(MINUTE_MS);
  expect(own.brought).toEqual(IDX_CALENDAR.tradingDays(FIRST_DAY, '2026-06-05'));
  expect(own.versions).toBe(1);
});

test('a day that the source does not have yet holds up no other, and comes when it is there', async () => {
  const own = await world();
  own.script = ['not_published'];
  own.now = evening('2026-06-04');
  await own.pass(10_000);
  expect(own.brought).not.toContain(own.asked[0]);
  expect(own.brought).toHaveLength(own.asked.length - 1);
  expect(await own.state()).toMatchObject({
    state: 'failing',
    due_day: own.asked[0],
    reason: /not_published/,
  });
  await own.pass(MINUTE_MS);
  expect(own.brought).toContain(own.asked[0]);
  expect(await own.state()).toMatchObject({ state: 'idle', reason: undefined });
});

test('while a day that failed rests, other days come, and what it waits for stays known', async () => {
  const own = await world();
  // The seventh failure, at 18:25:45, makes the day rest until after the next one is due.
  own.script = Array<Behaviour>(7).fill('not_published');
  own.now = new Date('2026-06-03T18:10:00+07:00');
  await own.pass(26 * MINUTE_MS, 1_000);
  expect(own.brought).toEqual(['2026-06-03']);
  expect(await own.state()).toMatchObject({ state: 'failing', due_day: FIRST_DAY, reason: /not_published/ });
  await own.pass(10 * MINUTE_MS);
  expect(own.brought).toEqual([FIRST_DAY, '2026-06-03']);
  expect(await own.state()).toMatchObject({ state: 'idle', reason: undefined });
});

test('yesterday’s numbers under today’s date are refused, and the day comes when the source has it', async () => {
  const own = await world();
  own.now = evening(FIRST_DAY);
  await own.pass(MINUTE_MS);
  const next = IDX_CALENDAR.nextTradingDay(FIRST_DAY);
  own.script = ['brings yesterday'];
  own.now = evening(next);
  await own.pass(10_000);
  expect(own.brought).not.toContain(next);
  const [last] = await own.log();
  expect(last).toMatchObject({
    subject: next,
    problem: 'repeated_day',
    reason: expect.stringContaining(FIRST_DAY) as string,
  });
  await own.pass(HOUR_MS);
  expect(own.brought).toContain(next);
});

test('pauses grow after each failure, and a time that the source asks for is kept', async () => {
  const own = await world();
  own.script = Array<Behaviour>(6).fill('unreachable');
  own.now = evening(FIRST_DAY);
  await own.pass(20 * MINUTE_MS, 1_000);
  const starts = (await own.log()).toReversed().map(({ started_at }) => started_at.getTime());
  const pauses = starts.slice(1).map((start, i) => Math.round((start - starts[i]!) / 1_000));
  expect(pauses).toEqual([15, 30, 60, 120, 240, 480]);
  expect(own.brought).toContain(FIRST_DAY);
});

test('a source that an operator asks for is asked at once, also for a day that rests after failures', async () => {
  const own = await world();
  own.script = Array<Behaviour>(6).fill('changed_shape');
  own.now = evening(FIRST_DAY);
  await own.pass(10 * MINUTE_MS);
  expect(own.brought).toEqual([]);
  const { length } = own.asked;
  own.script = [];
  await own.pass(30_000);
  expect(own.asked).toHaveLength(length);
  await own.feed.run(own.name, undefined, undefined);
  await own.pass(10_000);
  expect(own.brought).toEqual([FIRST_DAY]);
});

test('a day whose fetch a kill has interrupted is asked for as soon as its source is free again', async () => {
  const own = await world();
  own.script = ['killed'];
  own.now = evening(FIRST_DAY);
  await own.pass(17_000, 1_000);
  expect(own.brought).toEqual([FIRST_DAY]);
  expect(await own.log()).toMatchObject([{ outcome: 'published' }, { problem: 'interrupted' }]);
});

test('when the requests of the day are spent, the source is left alone until tomorrow', async () => {
  const own = await world();
  own.requestsPerDay = 3;
  own.script = Array<Behaviour>(3).fill('unreachable');
  own.now = evening(FIRST_DAY);
  await own.pass(5 * HOUR_MS, MINUTE_MS);
  expect(own.asked).toHaveLength(3);
  expect(await own.state()).toMatchObject({ state: 'failing', reason: /3 requests of today are spent/ });
  own.now = new Date('2026-06-03T00:00:05+07:00');
  await own.pass(MINUTE_MS);
  expect(own.brought).toContain(FIRST_DAY);
});

test('a paused source is not asked, and is asked at once when it is resumed', async () => {
  const own = await world();
  await own.feed.pause(own.name, 'holiday of the vendor');
  own.now = evening(FIRST_DAY);
  await own.pass(HOUR_MS, MINUTE_MS);
  expect(own.asked).toEqual([]);
  expect(await own.state()).toMatchObject({
    state: 'paused',
    reason: 'holiday of the vendor',
    next_attempt_at: undefined,
  });
  await own.feed.resume(own.name);
  await own.pass(10_000);
  expect(own.brought).toContain(FIRST_DAY);
});

test('a span is caught up oldest first, goes on after a kill, and skips days that the source does not have', async () => {
  const own = await world();
  own.now = new Date('2026-06-01T09:00:00+07:00');
  const days = IDX_CALENDAR.tradingDays('2026-03-02', '2026-04-30');
  await own.feed.run(own.name, '2026-03-02', '2026-04-30');
  own.script = ['brings', 'not_published', ...Array<Behaviour>(20).fill('brings'), 'killed'];
  await own.pass(5 * MINUTE_MS, 1_000);
  expect(own.brought).toEqual(days.filter((day) => day !== days[1]));
  expect(await own.state()).toMatchObject({ state: 'idle', catch_up: undefined });
});

test('a span that is asked for while another one ends is caught up too', async () => {
  const own = await world();
  own.now = new Date('2026-06-01T09:00:00+07:00');
  await own.feed.run(own.name, '2026-03-02', '2026-03-02');
  own.onFetch = async () => {
    own.onFetch = async () => {};
    own.now = new Date(own.now.getTime() + 1);
    await own.feed.run(own.name, '2026-04-01', '2026-04-02');
  };
  await own.pass(MINUTE_MS);
  expect(own.brought).toEqual(['2026-03-02', '2026-04-01', '2026-04-02']);
  expect(await own.state()).toMatchObject({ state: 'idle', catch_up: undefined });
});

test.each<[string | undefined, string | undefined, string]>([
  ['2026-02-30', undefined, 'must be an existing day'],
  [undefined, '2026-03-01', 'must be given together with'],
  ['2014-01-02', undefined, 'must be from 2015-01-02'],
  ['2026-05-30', '2026-05-31', 'there is no trading day'],
])('a span from %s to %s is refused', async (from, to, message) => {
  const own = await world();
  await expect(own.feed.run(own.name, from, to)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(message) as string,
  });
});

/** A lease of a copy whose clock is ahead. */
const leaseOf = ({ now }: World, aheadMs = 0) => ({
  now: new Date(now.getTime() + aheadMs),
  until: new Date(now.getTime() + aheadMs + 15_000),
});

test('of several copies one works for a source at a time', async () => {
  const own = await world();
  const [first, second] = await Promise.all([1, 2].map(() => own.store.claim(own.name, leaseOf(own))));
  expect([first, second].filter(Boolean)).toHaveLength(1);
});

test('a source that a copy claimed by a clock two hours ahead is claimed at once', async () => {
  const own = await world();
  expect(await own.store.claim(own.name, leaseOf(own, 2 * HOUR_MS))).toBeDefined();
  expect(await own.store.claim(own.name, leaseOf(own))).toBeDefined();
});

test('whatever fails in whatever order, every due day is served with its own numbers in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...FAULTS, 'brings' as const), { maxLength: 12 }),
      async (script) => {
        const own = await world();
        // What the source gave before its first day is not known, so that a repetition of it cannot be either.
        own.now = evening(FIRST_DAY);
        await own.pass(MINUTE_MS);
        own.script = [...script];
        own.now = evening('2026-06-03');
        await own.pass(2 * HOUR_MS, 30_000);
        own.now = evening('2026-06-05');
        await own.pass(8 * HOUR_MS, MINUTE_MS);
        expect(own.brought).toEqual(IDX_CALENDAR.tradingDays(FIRST_DAY, '2026-06-05'));
        for (const day of own.brought) expect(own.contents.get(day)).toBe(`numbers of ${day}`);
        expect((await own.log()).filter(({ outcome }) => outcome === 'running')).toEqual([]);
        expect(await own.state()).toMatchObject({ state: 'idle', reason: undefined });
      },
    ),
    { numRuns: 8 },
  );
});

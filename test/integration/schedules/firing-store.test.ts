import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Firings } from '#services/scheduler/firings.ts';
import type { ServedMarket } from '#shared/market/newest-trading-day.ts';
import { FiringStore } from '#services/scheduler/store/firing-store.ts';
import { migrations } from '#services/scheduler/store/migrations/index.ts';
import { ScheduleStore, type ScheduleRow } from '#services/scheduler/store/schedule-store.ts';
import type { SchedulerTables } from '#services/scheduler/store/tables.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { purgeExpired } from '#platform/postgres/purge-expired.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { ownServers } from '#support/servers/servers.ts';
import { statementsBlocked } from '#support/servers/while-locked.ts';

const log = createLogger('test', 'silent');
const servers = ownServers();
const DAY = '2024-07-02';
const DUE = { day: DAY, periodStart: DAY };

let database: Kysely<SchedulerTables>;
let firings: FiringStore;
let schedules: ScheduleStore;
beforeAll(async () => {
  database = await openPostgres({ url: servers.databaseUrl, schema: 'scheduler', migrations, log });
  [firings, schedules] = [new FiringStore(database), new ScheduleStore(database)];
});
afterAll(() => database?.destroy());

const SERVED = { market: 'real', day: '2024-07-01' };

const NEW = {
  name: 'evening',
  api_key_id: 'key_a',
  end_user: 'newsletter',
  model_id: 'confluence_filter',
  params: '{}',
  view: 'full',
  calendar: 'daily',
  enabled: true,
} as const;

const newSchedule = (): Promise<ScheduleRow> =>
  schedules.insert({ ...NEW, id: randomId('sch'), created_at: clock() }, SERVED);

/** The place of a new schedule in the real market. */
const placeOf = ({ id, calendar }: ScheduleRow) => ({
  id,
  calendar,
  schedule_id: id,
  market: SERVED.market,
  after_day: SERVED.day,
  behind_since: null,
});

const waits = async () => ({ kind: 'waits', reason: 'Try again.' }) as const;

/** The rounds of a process that can submit nothing. */
function roundsWith(
  newest: { known: ServedMarket | undefined },
  own: Partial<ConstructorParameters<typeof Firings>[0]> = {},
) {
  const submissions = { submit: waits, giveUp: waits };
  return new Firings({ store: firings, submissions, newest, heldUpMs: 900_000, clock, log, ...own });
}

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);

/** Deletes a schedule while a process finds it due, after the deletion has looked for waiting firings. */
async function deleteWhileItBecomesDue(): Promise<ScheduleRow> {
  const schedule = await newSchedule();
  const { deleted } = await database.transaction().execute(async (claiming) => {
    await new FiringStore(claiming).claim(placeOf(schedule), DUE, minutesFromNow(-1));
    const deletion = schedules.delete(schedule.id);
    await expect.poll(() => statementsBlocked(database, '%delete from schedule%')).toBe(1);
    return { deleted: deletion };
  });
  expect(await deleted).toBe(true);
  return schedule;
}

/** The places of schedules as `id market after_day`. */
async function placesOf(db: Kysely<SchedulerTables>): Promise<string[]> {
  const places = await db.selectFrom('schedule_place').selectAll().execute();
  return places
    .map(({ schedule_id, market, after_day }) => `${schedule_id} ${market} ${after_day}`)
    .toSorted();
}

test('a schedule of the previous version is neither held up by days of another market nor misses a day of the upgrade', async () => {
  const target = { url: servers.databaseUrl, schema: 'older_scheduler', log };
  // As that version left it: a schedule had one day, and no place in a market.
  const upgraded = await openPostgres<SchedulerTables>({ ...target, migrations });
  const row = { ...NEW, created_at: clock() };
  const days = { behind: '2024-06-27', at: '2024-06-28', generated: '2026-09-30' };
  const rows = Object.entries(days).map(([id, after_day]) => ({ ...row, id, after_day }));
  await upgraded.insertInto('schedule').values(rows).execute();

  const store = new FiringStore(upgraded);
  expect(await placesOf(upgraded)).toEqual([]);
  const real = { market: 'real', day: '2024-06-28' };
  await store.enter(real);
  const inReal = ['at real 2024-06-28', 'behind real 2024-06-27', 'generated real 2024-06-28'];
  expect(await placesOf(upgraded)).toEqual(inReal);
  expect(await store.placed('<', real)).toMatchObject([{ id: 'behind' }]);
  const later = await store.placed('<', { market: 'real', day: '2024-07-01' });
  expect(later.map(({ id }) => id)).toEqual(['at', 'behind', 'generated']);

  await store.enter({ market: 'synthetic', day: '2026-09-30' });
  const inSynthetic = Object.keys(days).map((id) => `${id} synthetic 2026-09-30`);
  expect(await placesOf(upgraded)).toEqual([...inReal, ...inSynthetic].toSorted());
  await upgraded.destroy();
});

test('a waiting firing of a schedule deleted meanwhile does not displace a usable one', async () => {
  const deleted = await deleteWhileItBecomesDue();
  expect(await firings.list(deleted.id, 10)).toMatchObject([{ outcome: null }]);
  const schedule = await newSchedule();
  await firings.claim(placeOf(schedule), DUE, minutesFromNow(0));
  const taken = await firings.take(1, 'real', minutesFromNow(1), minutesFromNow(2));
  expect(taken).toMatchObject([
    { schedule_id: schedule.id, api_key_id: 'key_a', model_id: 'confluence_filter' },
  ]);
});

test('a waiting firing of a deleted schedule is never tried and soon removed; decided and usable ones stay', async () => {
  const [deleted, decided, kept] = [
    await deleteWhileItBecomesDue(),
    await newSchedule(),
    await newSchedule(),
  ];
  for (const schedule of [decided, kept]) await firings.claim(placeOf(schedule), DUE, minutesFromNow(60));
  const [firing] = await firings.list(decided.id, 1);
  await firings.accept(firing!, 'job_1', clock());
  await schedules.delete(decided.id);
  const tried: string[] = [];
  const submit = async ({ schedule_id }: { schedule_id: string }) => {
    tried.push(schedule_id);
    return waits();
  };
  await roundsWith({ known: undefined }, { submissions: { submit, giveUp: submit } }).round();
  expect(tried).not.toContain(deleted.id);
  expect(await firings.list(deleted.id, 10)).toEqual([]);
  expect(await firings.list(decided.id, 10)).toMatchObject([{ outcome: 'accepted' }]);
  expect(await firings.list(kept.id, 10)).toMatchObject([{ outcome: null }]);
});

test('outcomes past their retention are removed, while younger and waiting ones stay', async () => {
  const schedule = await newSchedule();
  const days = ['2020-01-01', '2020-01-02', '2024-07-01'];
  for (const day of days) {
    const decided_at = new Date(`${day}T12:00:00Z`);
    const firing = {
      schedule_id: schedule.id,
      market: 'real',
      trading_day: day,
      params: '{}',
      noticed_at: decided_at,
    };
    await database
      .insertInto('firing')
      .values({ ...firing, next_attempt_at: decided_at, outcome: 'refused', decided_at, reason: 'test' })
      .execute();
  }
  await firings.claim(placeOf(schedule), DUE, new Date('2020-01-03T12:00:00Z'));
  const at2024 = () => new Date('2024-07-10T00:00:00Z');
  await purgeExpired(firings, { clock: at2024, retentionDays: 0 }, new AbortController().signal);
  expect(await firings.list(schedule.id, 10)).toHaveLength(4);
  await purgeExpired(firings, { clock: at2024, retentionDays: 365 }, new AbortController().signal);
  const left = (await firings.list(schedule.id, 10)).map(({ trading_day }) => trading_day);
  expect(left.toSorted()).toEqual(['2024-07-01', DAY]);
});

test('a schedule that is held up, or goes by another market, is warned of once, and again when that comes back', async () => {
  const { id } = await newSchedule();
  const lines: { level: number; schedule_id?: string; reason: string }[] = [];
  const newest: { known: ServedMarket | undefined } = { known: undefined };
  const rounds = roundsWith(newest, {
    log: pino({}, { write: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]) }),
  });
  /** What is warned of in two rounds with this market. */
  const warned = async (market: string, day: string) => {
    newest.known = { market, day };
    lines.length = 0;
    for (let round = 0; round < 2; round++) await rounds.round();
    return lines
      .filter(({ level, schedule_id }) => level === pino.levels.values['warn'] && schedule_id === id)
      .map(({ reason }) => reason);
  };
  const behind = (day: string) =>
    expect.stringContaining(
      `The served real market ends on ${day}, and the schedule has come to 2024-07-01. If`,
    ) as string;
  const another = (market: string, before: string, day: string) =>
    `The ${market} market is served instead of the ${before} one. In it, the schedule has come to ${day}.`;

  expect(await warned('real', '2024-07-01')).toEqual([]);
  expect(await warned('real', '2024-06-28')).toEqual([behind('2024-06-28')]);
  expect(await warned('real', '2024-06-27')).toEqual([behind('2024-06-27')]);
  expect(await warned('real', '2024-07-01')).toEqual([]);
  expect(await warned('synthetic', '2026-09-30')).toEqual([another('synthetic', 'real', '2026-09-30')]);
  const again = [another('real', 'synthetic', '2024-07-01'), behind('2024-06-27')];
  expect(await warned('real', '2024-06-27')).toEqual(again);
  await schedules.disable(id, clock());
  expect(await warned('real', '2024-06-26')).toEqual([]);
});

test('a schedule whose market was replaced by an older one goes on after the stated time, and fires for no day or week twice', async () => {
  const daily = await newSchedule();
  const weekly = await schedules.insert(
    { ...NEW, id: randomId('sch'), calendar: 'weekly', created_at: clock() },
    SERVED,
  );
  const newest: { known: ServedMarket | undefined } = { known: undefined };
  let now = new Date('2024-07-08T12:00:00Z');
  const rounds = roundsWith(newest, { clock: () => now });
  const serve = async (day: string, minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
    newest.known = { market: 'real', day };
    await rounds.round();
    const places = await schedules.places('real');
    return [daily, weekly].map(({ id }) => places.get(id)!.after_day);
  };
  const fired = async ({ id }: ScheduleRow) =>
    (await firings.list(id, 10)).map(({ trading_day }) => trading_day).toSorted();

  expect(await serve('2024-07-08', 0)).toEqual(['2024-07-08', '2024-07-08']);
  expect(await serve('2024-07-04', 1)).toEqual(['2024-07-08', '2024-07-08']);
  expect(await serve('2024-07-05', 14)).toEqual(['2024-07-08', '2024-07-08']);
  expect(await serve('2024-07-05', 1)).toEqual(['2024-07-05', '2024-07-05']);
  expect(await serve('2024-07-08', 1)).toEqual(['2024-07-08', '2024-07-08']);
  expect([await fired(daily), await fired(weekly)]).toEqual([['2024-07-08'], ['2024-07-08']]);

  // Nothing is left of the first wait: the next one is as long.
  expect(await serve('2024-07-05', 60)).toEqual(['2024-07-08', '2024-07-08']);
  expect(await serve('2024-07-05', 15)).toEqual(['2024-07-05', '2024-07-05']);
  expect(await serve('2024-07-09', 1)).toEqual(['2024-07-09', '2024-07-09']);
  expect([await fired(daily), await fired(weekly)]).toEqual([['2024-07-08', '2024-07-09'], ['2024-07-08']]);
});

test('a firing in an older market is not given up for a newer day of the market before', async () => {
  const schedule = await newSchedule();
  const noticed = (day: string, minutes: number) =>
    firings.claim(
      { ...placeOf(schedule), after_day: day === DAY ? SERVED.day : '2024-01-31' },
      { day, periodStart: day },
      minutesFromNow(minutes),
    );
  await noticed(DAY, -2);
  const change = { after_day: '2024-01-31' };
  await database.updateTable('schedule_place').set(change).where('schedule_id', '=', schedule.id).execute();
  await noticed('2024-02-01', -1);
  const taken = await firings.take(1_000, 'real', clock(), minutesFromNow(2));
  const own = taken.filter(({ schedule_id }) => schedule_id === schedule.id);
  const newer = Object.fromEntries(own.map(({ trading_day, newer_day }) => [trading_day, newer_day]));
  expect(newer).toEqual({ [DAY]: '2024-02-01', '2024-02-01': null });
});

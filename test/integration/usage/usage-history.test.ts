import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { randomId } from '#foundation/ids.ts';
import { allPages, testUsage } from '#support/services/test-usage.ts';
import { insertUsage, publishUsage, succeeded, usageEvent } from '#support/usage/usage-events.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const own = testUsage();
type Request = Parameters<typeof own.list>[0];

const newKey = () => randomId('key');
const insert = (...events: UsageRecorded[]) => insertUsage(own.sql, events);
const idsOf = (events: { event_id: string }[]) => events.map(({ event_id }) => event_id);

const NOON = Date.UTC(2026, 10, 20, 5);

/** The sink accepts nothing from before this date. */
const EARLIEST = new Date('2000-01-01');

test('ClickHouse returns unchanged whatever the sink accepts', async () => {
  const key = newKey();
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  const valid: fc.Arbitrary<UsageRecorded> = fc.record({
    event_id: fc.constant(undefined).map(() => randomId('ue')),
    ts: fc.date({ min: EARLIEST, max: new Date('2099-12-31'), noInvalidDate: true }),
    channel: fc.string({ unit: 'grapheme' }),
    actor: text,
    api_key_id: fc.constant(key),
    end_user: fc.string({ unit: 'grapheme' }),
    model_id: text,
    params: fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')),
    ),
    status: fc.constantFrom('started', 'succeeded', 'failed', 'interrupted'),
    duration_seconds: fc.double({ min: 0, max: 1e300, noNaN: true }),
    summary: fc.option(
      fc.record({
        pick_count: fc.nat(2 ** 31 - 1),
        tickers: fc.array(text),
        target_date: fc
          .date({ min: EARLIEST, max: new Date('2099-12-31'), noInvalidDate: true })
          .map((day) => day.toISOString().slice(0, 10)),
      }),
      { nil: undefined },
    ),
    job_id: text,
    request_id: fc.string({ unit: 'grapheme' }),
  });
  const events = fc.sample(valid, 150);
  await Promise.all(events.map((event) => publishUsage(own.publisher, event)));
  await expect.poll(() => own.waiting()).toBe(0);
  const pages = await allPages((cursor) => own.list({ api_key_id: key, limit: 40, cursor }));
  const shown = new Map(pages.flatMap(({ events: some }) => some).map((event) => [event.event_id, event]));
  for (const event of events) {
    expect(shown.get(event.event_id)).toEqual({
      ...event,
      params: JSON.parse(JSON.stringify(event.params)) as object,
    });
  }
});

test('a period may begin and end where ClickHouse knows no moments', async () => {
  const key = newKey();
  await insert(usageEvent({ api_key_id: key, ts: new Date(NOON) }));
  const farAway = { since: new Date(-1e14), until: new Date(8e15) };
  expect((await own.list({ api_key_id: key, ...farAway })).events).toHaveLength(1);
});

test('one open run is found below thousands of ended ones', async () => {
  const key = newKey();
  const at = (index: number) => usageEvent({ api_key_id: key, ts: new Date(NOON - index * 1_000) });
  const ended = Array.from({ length: 5_000 }, (_, index) => at(index));
  const open = at(5_000);
  await insert(...ended, open);
  await insert(...ended.map(succeeded));
  const { events, next_cursor } = await own.list({ api_key_id: key, status: 'started', limit: 5 });
  expect(idsOf(events)).toEqual([open.event_id]);
  expect(next_cursor).toBeUndefined();
  expect((await own.list({ api_key_id: key, status: 'succeeded', limit: 200 })).events).toHaveLength(200);
});

test('a cursor is valid only for its own key and filters, at any page size', async () => {
  const key = newKey();
  await insert(...Array.from({ length: 3 }, () => usageEvent({ api_key_id: key })));
  const { next_cursor: cursor } = await own.list({ api_key_id: key, limit: 1, since: new Date(0) });
  const use = (request: Request) => own.list({ api_key_id: key, cursor, since: new Date(0), ...request });
  expect((await use({ limit: 200 })).events).toHaveLength(2);
  for (const other of [
    { api_key_id: newKey() },
    { status: 'started' },
    { end_user: 'user-1' },
    { model_id: 'confluence_filter' },
    { since: new Date(1) },
    { since: undefined },
    { until: new Date() },
    { cursor: '' },
    { cursor: `${cursor}=` },
    { cursor: "' OR 1=1 --" },
  ]) {
    await expect(use(other), JSON.stringify(other)).rejects.toMatchObject({ code: 'invalid_cursor' });
  }
});

test('events expire after the configured days, or never with 0, from the next start on', async () => {
  const ttl = async () => {
    const { engine_full } = await own.row<{ engine_full: string }>(
      `SELECT engine_full FROM system.tables WHERE database = 'usage' AND name = 'event'`,
    );
    return / TTL (.+?)(?= SETTINGS)/.exec(engine_full)?.[1];
  };
  const restart = async (days: string) => {
    await own.service.kill();
    await own.startService({ USAGE_RETENTION_DAYS: days });
  };
  // Empty the table, because a change of the setting rewrites every part.
  await own.sql.command({ query: 'TRUNCATE TABLE usage.event' });
  await restart('180');
  await expect.poll(ttl).toBe('ts + toIntervalDay(180)');
  await restart('0');
  await expect.poll(ttl).toBeUndefined();
  const key = newKey();
  await insert(
    usageEvent({ api_key_id: key, ts: new Date(Date.now() - 40 * DAY_MS) }),
    usageEvent({ api_key_id: key }),
  );
  await restart('30');
  await expect.poll(ttl).toBe('ts + toIntervalDay(30)');
  await own.sql.command({ query: 'OPTIMIZE TABLE usage.event FINAL' });
  expect((await own.count(key)).events).toBe(1);
});

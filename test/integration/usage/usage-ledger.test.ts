import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { ClickHouseProxy } from '#support/servers/clickhouse-proxy.ts';
import { DEADLINE_MS } from '#services/usage/store/ledger-client.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { testUsage } from '#support/services/test-usage.ts';
import { publishUsage, succeeded, usageEvent } from '#support/usage/usage-events.ts';

const own = testUsage();
/** Includes the time until NATS redelivers what a killed sink held. */
/** By then NATS redelivers messages that no consumer has reported as in progress. */
const PAST_ACK_WAIT_MS = 5_500;
/** A gateway gives up after this time, by default, and receives no code from the service. */
const CALLER_WAITS_MS = 5_000;
const proxies: ClickHouseProxy[] = [];
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.stop();
});

const publish = (event: ReturnType<typeof usageEvent>, msgID?: string) =>
  publishUsage(own.publisher, event, msgID);
/** Publishes in batches, because every acknowledged message waits for the disk. */
async function publishAll(events: ReturnType<typeof usageEvent>[]): Promise<void> {
  for (let start = 0; start < events.length; start += 50) {
    await Promise.all(events.slice(start, start + 50).map((event) => publish(event)));
  }
}
const isInsert = (sql: string) => sql.startsWith('INSERT INTO usage.event');

/** Runs the service behind a proxy until the end of the test. */
async function restartBehindProxy(): Promise<ClickHouseProxy> {
  await expect.poll(() => own.waiting()).toBe(0);
  await own.service.kill();
  const proxy = await ClickHouseProxy.start(own.clickhouse.url);
  proxies.push(proxy);
  await own.startService({ CLICKHOUSE_URL: proxy.url });
  return proxy;
}

test('the final state replaces started, and a late or repeated started does not bring it back', async () => {
  const started = usageEvent({ api_key_id: 'key_states' });
  const final = succeeded(started);
  await publish(started);
  await expect.poll(async () => (await own.count('key_states')).events).toBe(1);
  await publish(final);
  const statuses = async () =>
    (await own.list({ api_key_id: 'key_states' })).events.map(({ status }) => status);
  await expect.poll(statuses).toEqual(['succeeded']);
  await publish(started, 'the same once more');
  await expect.poll(() => own.waiting()).toBe(0);
  expect(await statuses()).toEqual(['succeeded']);
  expect(await own.get('key_states', started.event_id)).toMatchObject({
    status: 'succeeded',
    duration_seconds: 0.75,
    summary: { pick_count: 2, tickers: ['BBCA', 'ADRO'], target_date: '2026-11-19' },
  });
  expect((await own.count('key_states')).events).toBe(1);
});

test.each(['started', 'failed', 'interrupted'])(
  'a run that is %s shows no picks on its analysis day, and no pick count to analysts',
  async (status) => {
    const key = `key_${status}`;
    const params = { lookback: 5, analysis_date: '2026-11-19' };
    const event = usageEvent({ api_key_id: key, status, params });
    await publish(event);
    await expect.poll(async () => (await own.count(key)).events).toBe(1);
    const summary = { pick_count: 0, tickers: [], target_date: '2026-11-19' };
    expect((await own.list({ api_key_id: key })).events).toMatchObject([{ status, summary }]);
    expect(await own.get(key, event.event_id)).toMatchObject({ status, summary });
    const sql = `SELECT pick_count, target_date FROM usage.run_v1 WHERE api_key_id = '${key}'`;
    expect(await own.row(sql)).toEqual({ pick_count: null, target_date: null });
  },
);

test('redelivered events are counted once, in any batches and order', async () => {
  const events = Array.from({ length: 20 }, () => usageEvent({ api_key_id: 'key_twice' }));
  for (const round of [1, 2, 3]) {
    for (const event of round === 2 ? events.toReversed() : events) {
      await publish(event, randomId('req'));
      await publish(succeeded(event), randomId('req'));
    }
    await expect.poll(() => own.waiting()).toBe(0);
    expect((await own.count('key_twice')).events, `after round ${round}`).toBe(20);
  }
  expect((await own.list({ api_key_id: 'key_twice' })).events).toHaveLength(20);
});

test('an invalid message is dropped with an error in the log and does not block others', async () => {
  const { js } = own.publisher;
  await js.publish('usage.started', 'no protobuf at all', { msgID: randomId('req') });
  await publish(usageEvent({ api_key_id: 'key_poison', status: 'vanished' }));
  await publish(usageEvent({ api_key_id: 'key_poison', ts: undefined }));
  await publish(usageEvent({ api_key_id: 'key_poison', duration_seconds: NaN }));
  await publish(usageEvent({ api_key_id: 'key_poison' }));
  await expect.poll(async () => (await own.count('key_poison')).events).toBe(1);
  await expect.poll(() => own.waiting()).toBe(0);
  const errors = own.service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  expect(errors).toHaveLength(4);
  expect(errors.join()).toContain("status is 'vanished'");
});

test('a burst of 2,000 events arrives completely in few inserts', async () => {
  const inserts = async () => {
    const counter = `SELECT toUInt32(value) AS count FROM system.events WHERE event = 'InsertQuery'`;
    return (await own.row<{ count: number }>(counter)).count;
  };
  const before = await inserts();
  const events = Array.from({ length: 2_000 }, () => usageEvent({ api_key_id: 'key_burst' }));
  await publishAll(events);
  await expect.poll(async () => (await own.count('key_burst')).events).toBe(2_000);
  expect((await inserts()) - before).toBeLessThanOrEqual(60);
});

test('kill -9 between insert and acknowledgement duplicates nothing', async () => {
  const proxy = await restartBehindProxy();
  let killed: Promise<unknown> | undefined;
  proxy.onResponse = (sql) => {
    if (!isInsert(sql)) return true;
    killed ??= own.service.kill('SIGKILL');
    return false;
  };
  const events = Array.from({ length: 30 }, () => usageEvent({ api_key_id: 'key_killed' }));
  await publishAll(events);
  await expect.poll(() => killed !== undefined).toBe(true);
  await killed;
  expect(await own.waiting()).toBe(30);
  const { events: stored } = await own.count('key_killed');
  expect(stored).toBeGreaterThan(0);

  await own.startService();
  await expect.poll(() => own.waiting()).toBe(0);
  expect((await own.count('key_killed')).events).toBe(30);
  expect((await own.list({ api_key_id: 'key_killed' })).events).toHaveLength(30);
});

test('a repeated insert whose answer was lost stores no second row', async () => {
  const proxy = await restartBehindProxy();
  let lost = 0;
  proxy.onResponse = (sql) => !isInsert(sql) || ++lost > 2;
  const events = Array.from({ length: 30 }, () => usageEvent({ api_key_id: 'key_lost_answer' }));
  await publishAll(events);
  await expect.poll(() => own.waiting()).toBe(0);
  expect(lost).toBeGreaterThanOrEqual(3);
  expect(await own.count('key_lost_answer')).toEqual({ events: 30, rows: 30 });
  await own.service.kill();
  await own.startService();
});

test('a ClickHouse outage makes reads usage_unavailable, but the service survives and loses nothing', async () => {
  const before = usageEvent({ api_key_id: 'key_outage' });
  await publish(before);
  await expect.poll(async () => (await own.count('key_outage')).events).toBe(1);

  await own.clickhouse.kill9();
  const during = Array.from({ length: 200 }, () => usageEvent({ api_key_id: 'key_outage' }));
  await publishAll(during);
  await publish(succeeded(before));
  await expect(own.list({ api_key_id: 'key_outage' })).rejects.toMatchObject({ code: 'usage_unavailable' });
  await expect(own.get('key_outage', before.event_id)).rejects.toMatchObject({ code: 'usage_unavailable' });
  await sleep(PAST_ACK_WAIT_MS);
  expect(await own.waiting()).toBe(201);
  const { num_redelivered } = await own.publisher.jsm.consumers.info('USAGE', 'usage');
  expect(num_redelivered, 'what waits is not delivered over and over').toBe(0);

  await own.clickhouse.start();
  await expect.poll(() => own.waiting()).toBe(0);
  expect((await own.count('key_outage')).events).toBe(201);
  expect((await own.get('key_outage', before.event_id)).status).toBe('succeeded');
});

test('a frozen ClickHouse is usage_unavailable before the caller times out', async () => {
  await own.clickhouse.freeze();
  try {
    const begun = performance.now();
    await expect(own.list({})).rejects.toMatchObject({ code: 'usage_unavailable' });
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    // Ended by the deadline of reads: the client's own limit has other words.
    await expect.poll(() => own.service.output()).toContain('The user aborted a request.');
    expect(DEADLINE_MS).toBeLessThan(CALLER_WAITS_MS - 1_000);
  } finally {
    own.clickhouse.thaw();
  }
  await expect.poll(() => own.list({}).then(() => 'answers', String)).toBe('answers');
});

test('after a NATS restart the sink continues with what the stream holds', async () => {
  const first = usageEvent({ api_key_id: 'key_nats' });
  await publish(first);
  await own.nats.kill9();
  await own.nats.start();
  const second = usageEvent({ api_key_id: 'key_nats' });
  await expect.poll(() => publish(second).then(() => 'published', String)).toBe('published');
  await expect.poll(async () => (await own.count('key_nats')).events).toBe(2);
  await expect.poll(() => own.waiting()).toBe(0);
});

test('the service starts without ClickHouse and records once it is available', async () => {
  await own.service.kill();
  await own.clickhouse.kill9();
  await own.startService();
  await publish(usageEvent({ api_key_id: 'key_early' }));
  await expect(own.list({ api_key_id: 'key_early' })).rejects.toMatchObject({ code: 'usage_unavailable' });
  await own.clickhouse.start();
  await expect
    .poll(() => own.list({ api_key_id: 'key_early' }).then(({ events }) => events.length, String))
    .toBe(1);
});

test('an orderly stop returns unstored messages for the next process to take at once', async () => {
  const responses: string[] = [];
  const heard = own.publisher.connection.subscribe('$JS.ACK.>', {
    callback: (_, message) => void responses.push(message.string()),
  });
  await own.clickhouse.kill9();
  await publish(usageEvent({ api_key_id: 'key_handover' }));
  await sleep(500);
  expect(await own.service.kill()).toBe(0);
  await expect.poll(() => responses.at(-1)).toMatch(/^-NAK/);
  heard.unsubscribe();
  await own.clickhouse.start();
  await own.startService();
  await expect.poll(async () => (await own.count('key_handover')).events).toBe(1);
});

import { expect, test } from 'vitest';
import { EventTold } from '#proto/saring/events/v1/told.ts';
import { eventForMany } from '#platform/postgres/outbox-event.ts';
import { randomId } from '#foundation/ids.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { testEvents } from '#support/services/test-events.ts';

/** What two copies of the service store of the stream. */

const own = testEvents();
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test('two copies store each event once, numbered per key without gaps, and no reader sees a larger number before a smaller one', async () => {
  const keys = [randomId('key'), randomId('key'), randomId('key')];
  const ofEach = 120;
  const events = upTo(ofEach).flatMap(() => keys.map((key) => ({ key, event: own.eventOf(key) })));
  const reading = new AbortController();
  const read = keys.map(async (api_key_id, i) => {
    const seen: number[] = [];
    for await (const { event } of own.copies[i % 2]!.events.watch(
      { api_key_id, after: 0, types: [] },
      reading.signal,
    )) {
      if (event) seen.push(Number(event.sequence));
      if (seen.length === ofEach) break;
    }
    return seen;
  });
  // Each a second time under another id of the message, as after ten minutes: only the table can tell that it is the same.
  await Promise.all(events.flatMap(({ event }) => [own.publish(event), own.publish(event, null)]));
  for (const seen of await Promise.all(read)) expect(seen).toEqual(upTo(ofEach));
  reading.abort();
  await own.untilStored();
  for (const key of keys) {
    const stored = await own.stored(key);
    expect(stored.map(({ sequence }) => sequence)).toEqual(upTo(ofEach));
    const sent = events.filter((one) => one.key === key).map(({ event }) => event.message_id);
    expect(stored.map(({ event_id }) => event_id).toSorted()).toEqual(sent.toSorted());
  }
});

test('a message that can never be stored is dropped and holds up no other', async () => {
  const key = randomId('key');
  const subject = subjects.event('webhooks');
  const sound = { event_id: randomId('evt'), api_key_id: key, type: 'webhook.test', occurred_at: new Date() };
  const poison = [
    Buffer.from('no event'),
    EventTold.encode({ ...sound, type: 'unknown.type', data: {} }).finish(),
    EventTold.encode({ ...sound, data: { webhook_id: 7 } }).finish(),
    EventTold.encode({ ...sound, api_key_id: undefined, data: { webhook_id: 'wh_1' } }).finish(),
    // PostgreSQL stores no NUL.
    EventTold.encode({ ...sound, data: { webhook_id: 'wh_\0' } }).finish(),
  ];
  for (const message of poison) await own.nats.js.publish(subject, message);
  await own.publish(own.eventOf(key));
  await expect.poll(() => own.stored(key)).toHaveLength(1);
  await own.untilStored();
  expect(await own.stored(key)).toHaveLength(1);
});

test('an event for many keys becomes one of each but of test keys, also if the keys service was unavailable and it comes twice', async () => {
  const readers = upTo(450).map(() => randomId('key'));
  const [stranger, tester] = [randomId('key'), randomId('key_test')];
  own.readers = undefined;
  const data = {
    market: 'real',
    day: '2026-11-20',
    data_as_of: '2026-11-19',
    behind_trading_days: 1,
  } as const;
  const late = eventForMany('feed', { type: 'feed.late', data, at: new Date() });
  await own.publish(late);
  await own.publish(own.eventOf(stranger));
  await expect.poll(() => own.stored(stranger)).toHaveLength(1);
  expect(await own.stored(readers[0]!)).toEqual([]);
  own.readers = [...readers, tester];
  await own.untilStored();
  await own.publish(late, null);
  await own.untilStored();
  const ids = new Set<string>();
  for (const reader of readers) {
    const stored = await own.stored(reader);
    expect(stored).toMatchObject([{ sequence: 1, type: 'feed.late' }]);
    ids.add(stored[0]!.event_id);
  }
  expect(ids.size).toBe(readers.length);
  expect(await own.stored(stranger)).toHaveLength(1);
  expect(await own.stored(tester)).toEqual([]);
});

test('a served dataset is told once by all copies, an old one and the return to an earlier one are not', async () => {
  const reader = randomId('key');
  own.readers = [reader];
  own.serve('real-20261119-1', new Date(Date.now() - 48 * 3_600_000));
  const told = async () =>
    (await own.stored(reader)).filter(({ type }) => type === 'dataset.published').length;
  const considered = async (version: string) =>
    own.database.selectFrom('told_dataset').selectAll().where('version', '=', version).execute();
  await expect.poll(() => considered('real-20261119-1')).toHaveLength(1);
  own.serve('real-20261120-1');
  await expect.poll(told).toBe(1);
  own.serve('real-20261119-1', new Date(Date.now() - 48 * 3_600_000));
  own.serve('real-20261120-2');
  await expect.poll(told).toBe(2);
  own.serve('real-20261120-1');
  await own.stopCopies();
  await own.startCopies();
  own.serve('real-20261120-3');
  await expect.poll(told).toBe(3);
});

import { expect, test } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { testEvents } from '#support/services/test-events.ts';

/** How the events of a key are read. */

const own = testEvents();

async function tell(key: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await own.publish(own.eventOf(key));
  await own.untilStored();
}

async function list(api_key_id: string, after?: number, types: string[] = [], limit = 50) {
  const { events, ...page } = await own.copies[0]!.events.list({ api_key_id, after, types }, limit);
  return { ...page, sequences: events.map(({ sequence }) => Number(sequence)) };
}

/** What a stream has told; it goes on until `stop`. */
function watch(api_key_id: string, after: number | undefined, copy = 0, types: string[] = []) {
  const over = new AbortController();
  const told: (number | string)[] = [];
  const done = (async () => {
    for await (const { sequence, event, missed } of own.copies[copy]!.events.watch(
      { api_key_id, after, types },
      over.signal,
    ))
      told.push(
        missed
          ? `missed ${missed.first_sequence}-${missed.last_sequence}`
          : event
            ? sequence
            : `at ${sequence}`,
      );
  })();
  const stop = () => {
    over.abort();
    return done;
  };
  return { told, stop };
}

test('pages follow each other, and the last one says where to go on', async () => {
  const key = randomId('key');
  expect(await list(key)).toEqual({ sequences: [], nextAfter: 0, hasMore: false, missed: undefined });
  await tell(key, 5);
  expect(await list(key, undefined, [], 2)).toMatchObject({ sequences: [1, 2], nextAfter: 2, hasMore: true });
  expect(await list(key, 2, [], 3)).toMatchObject({ sequences: [3, 4, 5], nextAfter: 5, hasMore: false });
  expect(await list(key, 5)).toMatchObject({ sequences: [], nextAfter: 5, hasMore: false });
});

test('a page of types that do not occur passes over the others', async () => {
  const key = randomId('key');
  await tell(key, 3);
  expect(await list(key, 0, ['run.failed'])).toMatchObject({ sequences: [], nextAfter: 3, hasMore: false });
  expect(await list(key, 0, ['run.failed', 'webhook.test'])).toMatchObject({ sequences: [1, 2, 3] });
});

test('a number that the key has not reached is refused, in a list and in a stream', async () => {
  const key = randomId('key');
  await tell(key, 1);
  const refused = {
    code: 'invalid_request',
    message: expect.stringMatching(/^after: must be at most 1/) as string,
  };
  await expect(list(key, 2)).rejects.toMatchObject(refused);
  await expect(watch(key, 2).stop()).rejects.toMatchObject(refused);
});

test('a reader learns which events were removed by age, in a list and in a stream', async () => {
  const key = randomId('key');
  await tell(key, 4);
  const remove = (upTo: number) =>
    own.database
      .deleteFrom('event')
      .where('api_key_id', '=', key)
      .where('sequence', '<=', String(upTo))
      .execute();
  await remove(2);
  expect(await list(key, 1)).toMatchObject({
    sequences: [3, 4],
    missed: { first_sequence: 2, last_sequence: 2 },
  });
  expect(await list(key, 2)).toMatchObject({ sequences: [3, 4], missed: undefined });
  expect(await list(key)).toMatchObject({ sequences: [3, 4], missed: undefined });
  const stream = watch(key, 0);
  await expect.poll(() => stream.told).toEqual(['missed 1-2', 3, 4]);
  await stream.stop();
  await remove(4);
  expect(await list(key, 3)).toMatchObject({
    sequences: [],
    nextAfter: 4,
    missed: { first_sequence: 4, last_sequence: 4 },
  });
  await tell(key, 1);
  expect(await list(key, 4)).toMatchObject({ sequences: [5], missed: undefined });
});

test('streams of both copies tell each event at once, from now on or from where they broke off', async () => {
  const [key, stranger] = [randomId('key'), randomId('key')];
  await tell(key, 2);
  const streams = [watch(key, undefined, 0), watch(key, 0, 1), watch(key, undefined, 1, ['run.failed'])];
  await expect.poll(() => streams.map(({ told }) => told.length)).toEqual([1, 3, 1]);
  await tell(stranger, 3);
  await tell(key, 1);
  await expect
    .poll(() => streams.map(({ told }) => told))
    .toEqual([
      ['at 2', 3],
      ['at 0', 1, 2, 3],
      ['at 2', 'at 3'],
    ]);
  await Promise.all(streams.map(({ stop }) => stop()));

  await own.stopCopies();
  await own.publish(own.eventOf(key));
  await own.startCopies();
  const resumed = watch(key, 3);
  await expect.poll(() => resumed.told).toEqual(['at 3', 4]);
  await resumed.stop();
});

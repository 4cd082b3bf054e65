import { expect, test } from 'vitest';
import { NatsPresence } from '#platform/nats/nats-presence.ts';
import { RowWatchers } from '#platform/nats/row-watchers.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { ownNats } from '#support/servers/own-nats.ts';

const NEVER_MS = 3_600_000;
const AWAY_MS = 20;

const own = ownNats();

test('a watcher polls often only while it cannot be notified, and looks at once when that changes', async () => {
  const { server, nats } = own;
  const presence = new NatsPresence(nats.connection);
  const watchers = new RowWatchers(nats.connection, subjects.jobChanged, presence, {
    hereMs: NEVER_MS,
    unavailableMs: AWAY_MS,
  });
  let [looks, isOver] = [0, false];
  let news = watchers.nextUpdate('job_1');
  const watching = (async () => {
    while (!isOver) {
      await news.arrived;
      looks++;
      news = watchers.nextUpdate('job_1');
    }
  })();
  watchers.announce('job_2');
  await nats.connection.flush();
  expect(looks).toBe(0);
  await server.kill9();
  await expect.poll(() => looks).toBeGreaterThan(3);
  await server.start();
  await expect.poll(() => presence.isHere).toBe(true);
  const looksSoFar = looks;
  watchers.announce('job_1');
  await expect.poll(() => looks).toBeGreaterThan(looksSoFar);
  isOver = true;
  news.cancel();
  await watching;
  news.cancel();
});

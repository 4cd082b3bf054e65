import { afterEach, expect, test } from 'vitest';
import { identityOf, startService, type ServiceProcess } from '#support/processes/service-process.ts';
import {
  attemptDue,
  hangs,
  KEY,
  LOOPBACK,
  receivers,
  saysOk,
  testWebhooks,
  WEBHOOK_SECRET_KEY,
} from '#support/services/test-webhooks.ts';
import { IN_TIME } from '#support/hangs.ts';

const own = testWebhooks();
const receiver = receivers();
const EVENTS = 200;
/** As the documents of the operator say. */
const LEASE_MS = 30_000;

/** Nothing listens there, and webhooks are delivered nevertheless. */
const OTHER_SERVICES = {
  KEYS_ADDRESS: '127.0.0.1:1',
  KEYS_TOKEN: identityOf('webhooks').token,
  MARKET_DATA_ADDRESS: '127.0.0.1:1',
};

const processes: ServiceProcess[] = [];
afterEach(() => Promise.all(processes.splice(0).map((process) => process.kill('SIGKILL'))));

async function start(howMany: number): Promise<void> {
  const { databaseUrl, natsUrl } = own.servers;
  const settings = {
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    CURSOR_SECRET: 'cursor-secret-of-the-tests',
    WEBHOOK_SECRET_KEY,
    WEBHOOK_ALLOWED_RANGES: LOOPBACK,
    ...OTHER_SERVICES,
  };
  const started = Array.from({ length: howMany }, () => startService('webhooks', settings));
  processes.push(...(await Promise.all(started)));
}

/** A webhook, and events that wait for it. Returns their ids. */
async function waitingEvents(url: string, count: number): Promise<string[]> {
  own.now = new Date();
  const service = own.copy();
  await service.webhooks.create({ url, event_types: [] }, KEY);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await own.arrive(service));
  return ids;
}

const stateOf = async () => {
  const query = own.database
    .selectFrom('delivery')
    .select(['state', ({ fn }) => fn.countAll<string>().as('n')]);
  return Object.fromEntries(
    (await query.groupBy('state').execute()).map(({ state, n }) => [state, Number(n)]),
  );
};

/** As if the time of a lease had passed. */
async function endLeases(): Promise<void> {
  const held = own.database.updateTable('webhook').where('lease_holder', 'is not', null);
  await held.set({ leased_until: new Date() }).execute();
}

test('two copies share the work, and each event arrives once', async () => {
  const apps = [await receiver(), await receiver(), await receiver()];
  const expected = [];
  for (const app of apps) expected.push(await waitingEvents(app.url, EVENTS / 4));
  await start(2);
  await expect.poll(stateOf).toEqual({ delivered: (EVENTS / 4) * (3 + 2 + 1) });
  // A webhook gets the events from when it was created.
  for (const [i, app] of apps.entries())
    expect(app.ids.toSorted()).toEqual(expected.slice(i).flat().toSorted());
});

test('a copy that is killed in the middle loses nothing: another one takes over what it was attempting', async () => {
  const [app, hanging] = [await receiver(saysOk), await receiver(hangs)];
  const ids = await waitingEvents(app.url, EVENTS);
  const [last] = await waitingEvents(hanging.url, 1);
  await start(1);
  await expect.poll(() => app.received.length, { ...IN_TIME, interval: 1 }).toBeGreaterThan(EVENTS / 10);
  await expect.poll(() => hanging.ids).toEqual([last]);
  await processes.pop()!.kill('SIGKILL');
  const claimed = own.database.selectFrom('webhook').select('leased_until').where('url', '=', hanging.url);
  expect((await claimed.executeTakeFirstOrThrow()).leased_until).not.toBeNull();
  hanging.answer = saysOk;
  await endLeases();
  await start(1);
  await expect.poll(stateOf).toEqual({ delivered: EVENTS + 2 });
  expect(new Set(app.ids)).toEqual(new Set([...ids, last]));
  expect(hanging.ids).toEqual([last, last]);
});

test('what a copy has claimed waits for the end of its lease, and another one then takes over', async () => {
  const app = await receiver(hangs);
  const [id] = await waitingEvents(app.url, 1);
  const [claiming, other] = [own.copy(), own.copy()];
  await claiming.dispatcher.round();
  await expect.poll(() => app.ids).toEqual([id]);
  app.answer = saysOk;
  own.pass(LEASE_MS - 1);
  await attemptDue(other);
  expect(app.ids).toEqual([id]);
  own.pass(1);
  await attemptDue(other);
  expect(app.ids).toEqual([id, id]);
  app.stop();
  await claiming.dispatcher.settled();
  expect(await stateOf()).toEqual({ delivered: 1 });
});

test('what a copy claimed by a clock two hours ahead is taken over at once', async () => {
  const app = await receiver(hangs);
  const [id] = await waitingEvents(app.url, 1);
  const [claiming, other] = [own.copy(), own.copy()];
  own.pass(2 * 3_600_000);
  await claiming.dispatcher.round();
  await expect.poll(() => app.ids).toEqual([id]);
  app.answer = saysOk;
  own.pass(-2 * 3_600_000);
  await attemptDue(other);
  expect(app.ids).toEqual([id, id]);
  app.stop();
  await claiming.dispatcher.settled();
});

test('a copy that stops leaves what it was attempting to another one at once', async () => {
  const hanging = await receiver(hangs);
  const [id] = await waitingEvents(hanging.url, 1);
  await start(1);
  await expect.poll(() => hanging.ids).toEqual([id]);
  expect(await processes.pop()!.kill('SIGTERM')).toBe(0);
  const left = await own.database.selectFrom('webhook').select(['leased_until', 'failures']).execute();
  expect(left).toEqual([{ leased_until: null, failures: 0 }]);
  hanging.answer = saysOk;
  await start(1);
  await expect.poll(stateOf).toEqual({ delivered: 1 });
});

import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { PAUSES_MS } from '#services/webhooks/dispatch/schedule.ts';
import {
  attemptDue,
  KEY,
  OTHER_KEY,
  receivers,
  saying,
  saysOk,
  testWebhooks,
} from '#support/services/test-webhooks.ts';

const own = testWebhooks();
const receiver = receivers();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const BACKLOG = 20_000;
const INSERTED_AT_ONCE = 2_000;

async function withWebhook(answer = saysOk, event_types: string[] = []) {
  const service = own.copy();
  const app = await receiver(answer);
  const { webhook, secret } = await service.webhooks.create({ url: app.url, event_types }, KEY);
  const about = { webhook_id: webhook.webhook_id, api_key_id: KEY };
  const deliveries = async () => (await service.deliveries.list(about, { limit: 100 })).rows;
  return { service, app, about, secret, deliveries };
}

test('an event arrives signed, with its place in the sequence of the key, and is not sent again', async () => {
  const { service, app, secret, deliveries } = await withWebhook();
  const first = await own.arrive(service, { data: { job_id: 'job_1' } });
  const second = await own.arrive(service);
  await attemptDue(service);
  own.pass(DAY_MS);
  await attemptDue(service);

  expect(app.ids.toSorted()).toEqual([first, second].toSorted());
  const { body, headers } = app.received.find(({ id }) => id === first)!;
  expect(JSON.parse(body)).toEqual({
    id: first,
    type: 'run.succeeded',
    created_at: '2026-11-20T16:00:00.000+07:00',
    sequence: 1,
    data: { job_id: 'job_1' },
  });
  expect(headers['webhook-id']).toBe(first);
  expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-20T09:00:00Z') / 1_000));
  expect(headers['webhook-signature']).toBe(
    new Webhook(secret).sign(first, new Date('2026-11-20T09:00:00Z'), body),
  );
  expect(await deliveries()).toMatchObject([
    { state: 'delivered', attempts_made: [{ number: 1, status: 200, answer: 'thanks', error: null }] },
    { state: 'delivered' },
  ]);
});

test('a delivery is attempted ten times within three days at growing pauses, and has then failed', async () => {
  const { service, app, about, deliveries } = await withWebhook(saying(500));
  await own.arrive(service);
  const begin = own.now.getTime();
  const attemptedAtMs: number[] = [];
  for (let next: Date | null = own.now; next; next = (await service.webhooks.get(about)).due_at) {
    // Nothing is attempted a moment before.
    own.now = new Date(next.getTime() - 1);
    await attemptDue(service);
    expect(app.received).toHaveLength(attemptedAtMs.length);
    own.now = next;
    await attemptDue(service);
    attemptedAtMs.push(own.now.getTime() - begin);
    // Endpoints rest as well, but for far less than the later pauses.
    expect(app.received).toHaveLength(attemptedAtMs.length);
  }
  const pauses = attemptedAtMs.slice(1).map((at, i) => at - attemptedAtMs[i]!);
  expect(pauses).toEqual(PAUSES_MS);
  expect(attemptedAtMs.at(-1)).toBeLessThanOrEqual(3 * DAY_MS);
  expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: 10 }]);
});

test.each([500, 410])(
  'an endpoint that is repaired during an attempt is not told by its answer %i',
  async (status) => {
    const asked = Promise.withResolvers<void>();
    const repaired = Promise.withResolvers<void>();
    const { service, about, deliveries } = await withWebhook((_request, response) => {
      asked.resolve();
      void repaired.promise.then(() => response.writeHead(status).end());
    });
    const next = await receiver();
    await own.arrive(service);
    const attempted = attemptDue(service);
    await asked.promise;
    await service.webhooks.replace(about, { url: next.url, event_types: [] });
    repaired.resolve();
    await attempted;
    expect(await service.webhooks.get(about)).toMatchObject({ enabled: true, failures: 0, url: next.url });
    own.pass(MINUTE_MS);
    await attemptDue(service);
    expect(next.received).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  },
);

test.each([
  ['seconds', () => '3600'],
  ['a date', () => new Date(own.now.getTime() + HOUR_MS).toUTCString()],
])(
  'an endpoint that asks by %s not to be called is left alone: what failed waits for so long, the rest for five minutes',
  async (_, inAnHour) => {
    const { service, app } = await withWebhook(saying(429, { 'retry-after': inAnHour() }));
    const refused = await own.arrive(service);
    await attemptDue(service);
    const next = await own.arrive(service);
    app.answer = saysOk;
    own.pass(5 * 60_000 - 1);
    await attemptDue(service);
    expect(app.ids).toEqual([refused]);
    own.pass(1);
    await attemptDue(service);
    expect(app.ids).toEqual([refused, next]);
    own.pass(55 * 60_000 - 1);
    await attemptDue(service);
    expect(app.ids).toEqual([refused, next]);
    own.pass(1);
    await attemptDue(service);
    expect(app.ids).toEqual([refused, next, refused]);
  },
);

test('an endpoint that always asks for more time gets attempts 20 hours apart, and the last of these at three days', async () => {
  const { service, app, about } = await withWebhook(saying(503, { 'retry-after': '9'.repeat(30) }));
  await own.arrive(service);
  const begin = own.now.getTime();
  const attemptedAtHours: number[] = [];
  for (let attempt = 1; attempt <= 6; attempt++) {
    attemptedAtHours.push((own.now.getTime() - begin) / HOUR_MS);
    await attemptDue(service);
    expect(app.received).toHaveLength(attempt);
    own.now = (await service.webhooks.get(about)).due_at!;
  }
  // After the fifth attempt the schedule pauses for five hours.
  expect(attemptedAtHours).toEqual([0, 20, 40, 60, 72, 77]);
});

test('an endpoint that answers again gets what waits', async () => {
  const { service, app, about } = await withWebhook(saying(500));
  const id = await own.arrive(service);
  await attemptDue(service);
  expect(await service.webhooks.get(about)).toMatchObject({ failures: 1, waiting: 1 });
  app.answer = saysOk;
  own.pass(6_000);
  await attemptDue(service);
  expect(app.ids).toEqual([id, id]);
  expect(await service.webhooks.get(about)).toMatchObject({ failures: 0, failing_since: null, waiting: 0 });
});

test('while an endpoint fails, one delivery tries and all others wait, however many there are', async () => {
  const { service, app } = await withWebhook(saying(503));
  for (let i = 0; i < 50; i++) await own.arrive(service);
  for (let minute = 0; minute < 60; minute++) {
    for (let again = 0; again < 3; again++) await attemptDue(service);
    own.pass(60_000);
  }
  // Some at first, then one in five minutes.
  expect(app.received.length).toBeLessThan(40);
  app.answer = saysOk;
  own.pass(10 * 60_000);
  const before = app.received.length;
  for (let again = 0; again < 20; again++) await attemptDue(service);
  expect(new Set(app.ids.slice(before)).size).toBeGreaterThan(30);
});

test('an endpoint that has done nothing but fail for five days is disabled, and its key is told', async () => {
  const { service, about } = await withWebhook(saying(500));
  for (let hour = 0; hour < 119; hour++) {
    if (hour % 12 === 0) await own.arrive(service);
    await attemptDue(service);
    own.pass(HOUR_MS);
  }
  expect(await service.webhooks.get(about)).toMatchObject({ enabled: true });
  expect(await outbox()).toEqual([]);
  await own.arrive(service);
  own.pass(2 * HOUR_MS);
  await attemptDue(service);
  expect(await service.webhooks.get(about)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  expect(await outbox()).toEqual([expect.stringContaining(about.webhook_id)]);
});

test('an answer of 410 disables at once; enabled again, the webhook gets what waited and, on request, what it missed', async () => {
  const { service, app, about } = await withWebhook(saying(410));
  const refused = await own.arrive(service);
  await attemptDue(service);
  expect(await service.webhooks.get(about)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  expect(await outbox()).toHaveLength(1);

  const missed = await own.arrive(service);
  await attemptDue(service);
  expect(app.received).toHaveLength(1);
  app.answer = saysOk;
  await service.webhooks.enable(about);
  await attemptDue(service);
  expect(app.ids).toEqual([refused, refused]);

  const since = new Date(own.now.getTime() - HOUR_MS);
  expect(await service.deliveries.missed(about, since)).toEqual({ count: 1, hasMore: false });
  expect(await service.deliveries.missed(about, since)).toEqual({ count: 0, hasMore: false });
  await attemptDue(service);
  expect(app.ids).toEqual([refused, refused, missed]);
});

test('a webhook gets only the types that it wants, and a test whatever it wants', async () => {
  const { service, app, about } = await withWebhook(saysOk, ['run.failed']);
  await own.arrive(service, { type: 'run.succeeded' });
  await own.arrive(service, { type: 'run.failed', key: 'key_of_another' });
  const wanted = await own.arrive(service, { type: 'run.failed' });
  await attemptDue(service);
  expect(app.ids).toEqual([wanted]);
  await service.deliveries.test(about);
  await attemptDue(service);
  expect(JSON.parse(app.received[1]!.body)).toMatchObject({
    type: 'webhook.test',
    sequence: 0,
    data: { webhook_id: about.webhook_id },
  });
});

test('a test goes first, also to an endpoint that rests, and is attempted once', async () => {
  const { service, app, about, deliveries } = await withWebhook(saying(500));
  for (let i = 0; i < 20; i++) await own.arrive(service);
  for (let again = 0; again < 10; again++) await attemptDue(service);
  const before = app.received.length;
  await attemptDue(service);
  expect(app.received).toHaveLength(before);
  const { delivery_id } = await service.deliveries.test(about);
  await attemptDue(service);
  expect(app.received.at(-1)!.type).toBe('webhook.test');
  const tested = (await deliveries()).find((delivery) => delivery.delivery_id === delivery_id);
  expect(tested).toMatchObject({ state: 'failed', attempts: 1 });
});

test('each replaced secret signs for the day after its own rotation, however many follow, and then the newest alone', async () => {
  const { service, app, about, secret: first } = await withWebhook();
  const rotated = async () => (await service.webhooks.rotate(about)).secret;
  /** Which of these secrets sign the next event. */
  const signing = async (...secrets: string[]) => {
    await own.arrive(service);
    await attemptDue(service);
    const { body, headers } = app.received.at(-1)!;
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const sent = (headers['webhook-signature'] as string).split(' ');
    expect(sent.length).toBeLessThanOrEqual(6);
    return secrets.map((secret) =>
      sent.includes(new Webhook(secret).sign(headers['webhook-id'] as string, at, body)),
    );
  };
  const second = await rotated();
  expect(await signing(first, second)).toEqual([true, true]);
  own.pass(HOUR_MS);
  const third = await rotated();
  expect(await signing(first, second, third)).toEqual([true, true, true]);
  own.pass(23 * HOUR_MS);
  expect(await signing(first, second, third)).toEqual([false, true, true]);
  own.pass(HOUR_MS);
  expect(await signing(first, second, third)).toEqual([false, false, true]);
});

test('a webhook has six secrets at once, also of rotations at the same moment: one more is refused until the oldest ends', async () => {
  const { service, about } = await withWebhook();
  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, () => service.webhooks.rotate(about)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await expect(service.webhooks.rotate(about)).rejects.toMatchObject({
    code: 'invalid_request',
    message:
      'The last 5 secrets of the webhook still sign. It can have a new one from 2026-11-21T16:00:00.000+07:00 on.',
  });
  own.pass(DAY_MS);
  await service.webhooks.rotate(about);
});

test('an event that is delivered again keeps its id', async () => {
  const { service, app, about, deliveries } = await withWebhook();
  const id = await own.arrive(service);
  await attemptDue(service);
  const again = await service.deliveries.again(about, (await deliveries())[0]!.delivery_id);
  await attemptDue(service);
  expect(app.ids).toEqual([id, id]);
  expect(await deliveries()).toContainEqual(
    expect.objectContaining({ delivery_id: again.delivery_id, is_redelivery: true, state: 'delivered' }),
  );
});

test('once an end user is erased, neither deliveries to come nor kept answers name it', async () => {
  const { service, app, deliveries } = await withWebhook((_request, response) =>
    response.writeHead(500).end('no room for alice'),
  );
  await own.arrive(service, { data: { end_user: 'alice' } });
  await attemptDue(service);
  expect(await deliveries()).toMatchObject([{ attempts_made: [{ answer: 'no room for alice' }] }]);
  expect(await service.events.forgetEndUser({ api_key_id: KEY, end_user: 'alice' })).toBe(1);
  expect(await deliveries()).toMatchObject([{ attempts_made: [{ answer: null, status: 500 }] }]);
  own.pass(6_000);
  await attemptDue(service);
  expect(JSON.parse(app.received[1]!.body)).toMatchObject({ data: { end_user: null } });
});

test('what waits for a dead endpoint delays no other, and is not read again and again', async () => {
  const { service, about } = await withWebhook(saying(500), ['run.failed']);
  const quick = await receiver(saysOk);
  await service.webhooks.create({ url: quick.url, event_types: ['run.succeeded'] }, KEY);
  await letWait(about.webhook_id);
  for (let again = 0; again < 5; again++) await attemptDue(service);
  const dead = await service.webhooks.get(about);
  expect(dead).toMatchObject({ waiting: 1_000, enabled: true });
  expect(dead.resting_until!.getTime()).toBeGreaterThan(own.now.getTime());
  const id = await own.arrive(service);
  const [claim] = await service.claims.claim({
    ...{ holder: 'test', now: own.now, until: own.now, suspects: false, limit: 10, perEndpoint: 4 },
  });
  expect(claim!.deliveries.map(({ event_id }) => event_id)).toEqual([id]);
  await attemptDue(service);
  expect(quick.ids).toEqual([id]);
});

test('a deleted webhook is gone at once, and what waits for it soon, however much that is', async () => {
  const { service, app, about } = await withWebhook(saying(500));
  const kept = await receiver(saysOk);
  await service.webhooks.create({ url: kept.url, event_types: [] }, KEY);
  const id = await own.arrive(service);
  await letWait(about.webhook_id);
  await service.webhooks.delete(about);
  const calls = [
    () => service.webhooks.get(about),
    () => service.webhooks.enable(about),
    () => service.webhooks.delete(about),
    () => service.deliveries.test(about),
    () => service.deliveries.missed(about, own.now),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'webhook_not_found' });
  expect((await service.webhooks.list({ limit: 100 }, KEY)).rows).toHaveLength(1);
  await attemptDue(service);
  expect(app.received).toEqual([]);
  expect(kept.ids).toEqual([id]);

  await service.store.removeDeleted(new AbortController().signal);
  expect(await storedDeliveries()).toBe(1);
  const left = await own.database.selectFrom('webhook').select('url').execute();
  expect(left).toEqual([{ url: kept.url }]);
});

test('deliveries that waited for a disabled webhook fail in the end, and go with their events', async () => {
  const { service, about, deliveries } = await withWebhook(saying(500));
  await own.arrive(service);
  await service.webhooks.disable(about);
  own.pass(3.5 * DAY_MS + 1);
  await service.claims.giveUp(new Date(own.now.getTime() - 3.5 * DAY_MS), own.now, 100);
  expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: 0 }]);
  await service.events.purge(own.now, 100);
  expect(await deliveries()).toEqual([]);
});

/** Stores deliveries to a webhook that wait, of events of another key. */
async function letWait(webhookId: string): Promise<void> {
  for (let from = 1; from < BACKLOG; from += INSERTED_AT_ONCE) {
    const numbers = sql`generate_series(${from}::int, ${from + INSERTED_AT_ONCE - 1}::int) as n`;
    await sql`insert into event select 'evt_' || n, ${OTHER_KEY}, n, 'run.failed', ${own.now}, '{}', ${own.now} from ${numbers}`.execute(
      own.database,
    );
    await sql`insert into delivery (delivery_id, webhook_id, event_id, created_at, due_at)
      select 'del_' || n, ${webhookId}, 'evt_' || n, ${own.now}, ${own.now} from ${numbers}`.execute(
      own.database,
    );
  }
  await own.database.updateTable('webhook').set({ due_at: own.now }).execute();
}

async function outbox(): Promise<string[]> {
  const rows = await own.database.selectFrom('outbox').select('message').execute();
  return rows.map(({ message }) => message.toString('latin1'));
}

async function storedDeliveries(): Promise<number> {
  const query = own.database.selectFrom('delivery').select(({ fn }) => fn.countAll<string>().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

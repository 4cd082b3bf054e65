import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { verifyWebhook } from '#client/index.ts';
import { newTenant, ownTenant, testOfOwnFleet } from '#support/fleets/contract.ts';
import { submitRun } from '#support/rest/jobs.ts';
import { saring } from '#support/fleets/saring-cli.ts';

const tenant = ownTenant();

const received: { body: string; headers: Record<string, string | string[] | undefined> }[] = [];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ body, headers: request.headers });
    response.end();
  });
});
let url = '';
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => receiver.close());

testOfOwnFleet('receivers on this machine')(
  'an application is told that its run has ended, and can verify who tells it',
  async () => {
    const { client, rest } = tenant;
    const created = await client.webhooks.create({ url, event_types: ['run.succeeded'] });
    const { job_id } = await submitRun(rest);
    await expect.poll(() => received.some(({ body }) => body.includes(job_id))).toBe(true);
    const { body, headers } = received.find((one) => one.body.includes(job_id))!;
    const event = await verifyWebhook(body, headers, created.secret);
    expect(event).toMatchObject({ type: 'run.succeeded', data: { job_id } });
    await expect(verifyWebhook(body, headers, 'whsec_AAAA')).rejects.toThrow('No signature');

    const deliveries = async () => (await client.webhooks.deliveries(created.webhook_id).first()).deliveries;
    // The receiver has the event a moment before its answer is noted.
    await expect
      .poll(deliveries)
      .toMatchObject([
        { event_id: event.id, state: 'delivered', redelivery: false, attempts: [{ number: 1, status: 200 }] },
      ]);
    expect(JSON.stringify(await deliveries())).not.toContain('signature');
    expect(await client.webhooks.get(created.webhook_id)).not.toHaveProperty('secret');
  },
);

test('a webhook is changed only by its own key, and its secret is shown only when it is made', async () => {
  const { client } = tenant;
  const other = await newTenant();
  const { webhook_id, secret } = await client.webhooks.create({ url: 'https://receiver.invalid/' });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await expect(other.client.webhooks.rotate(webhook_id)).rejects.toMatchObject({ code: 'webhook_not_found' });
  const rotated = await client.webhooks.rotate(webhook_id);
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.previous_secret_until).not.toBeNull();
  expect(await client.webhooks.disable(webhook_id)).toMatchObject({ disabled_reason: 'requested' });
  expect(await client.webhooks.enable(webhook_id)).toMatchObject({ enabled: true, disabled_reason: null });
  const replaced = await client.webhooks.replace(webhook_id, {
    url: 'https://receiver.invalid/2',
    event_types: ['feed.late', 'feed.late'],
    description: 'days',
  });
  expect(replaced).toMatchObject({ event_types: ['feed.late'], description: 'days' });
  await client.webhooks.delete(webhook_id);
  await expect(client.webhooks.get(webhook_id)).rejects.toMatchObject({ code: 'webhook_not_found' });
});

test.each([
  [
    { url: 'https://169.254.169.254/latest/meta-data' },
    'url: must have a host whose addresses are all public',
  ],
  [{ url: 'gopher://receiver.invalid/' }, 'url: must be an absolute URL with http or https'],
  [{ url: 'https://receiver.invalid:25/' }, 'url: must have one of these ports: 80, 443, 1024-65535'],
])('%j is refused with what is allowed', async (body, message) => {
  const { status, body: refusal } = await tenant.rest.post('/api/v1/webhooks', body);
  expect(status).toBe(422);
  expect(refusal).toMatchObject({ error: { code: 'invalid_request', message } });
  expect(refusal).toMatchObject({ detail: [{ loc: ['body', 'url'] }] });
});

test('the operator keeps the webhooks of any key on the command line', async () => {
  const { keyId, client } = await newTenant();
  const run = async (...words: string[]) => (await saring(inject('stateDir'), 'webhooks', ...words)).stdout;
  const created = await run(
    'create',
    '--key',
    keyId,
    '--url',
    'https://receiver.invalid/',
    '--types',
    'run.failed',
  );
  expect(created).toMatch(/secret {4}whsec_/);
  const { webhook_id } = (await client.webhooks.list().first()).webhooks[0]!;
  expect(await run('list', '--key', keyId)).toContain(webhook_id);
  expect(await run('disable', webhook_id, '--key', keyId)).toContain('disabled (requested)');
  expect(await run('enable', webhook_id, '--key', keyId)).toContain('working');
  expect(await run('test', webhook_id, '--key', keyId)).toMatch(/The test is sent as del_/);
  expect(await run('deliveries', webhook_id, '--key', keyId)).toContain('webhook.test');
  expect(await run('redeliver', webhook_id, '--key', keyId, '--since', '1h')).toMatch(/^\d+ missed events/);
  expect(JSON.parse(await run('show', webhook_id, '--key', keyId, '--json'))).toMatchObject({ webhook_id });
  expect(await run('delete', webhook_id, '--key', keyId)).toContain('is deleted');
});

import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const OTHER = 'whsec_Q0xvbmdlci1zZWNyZXQtb2YtYW5vdGhlci1hcHA=';

function signed(body: string, { secrets = [SECRET], at = new Date(), id = 'evt_1' } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

test('whatever the official library signs is accepted, and the same with a changed byte is not', async () => {
  const property = fc.asyncProperty(fc.jsonValue(), fc.nat(), async (data, at) => {
    const body = JSON.stringify({ id: 'evt_1', type: 'run.succeeded', data });
    const headers = signed(body);
    expect(await verifyWebhook(body, headers, SECRET)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), SECRET)).toEqual(
      JSON.parse(body),
    );
    const place = at % body.length;
    const changed = body.slice(0, place) + (body[place] === 'x' ? 'y' : 'x') + body.slice(place + 1);
    await expect(verifyWebhook(changed, headers, SECRET)).rejects.toThrow('No signature');
  });
  await fc.assert(property);
});

test('either of two signatures is enough, while a secret is being rotated', async () => {
  const headers = signed('{}', { secrets: [OTHER, SECRET] });
  expect(await verifyWebhook('{}', headers, SECRET)).toEqual({});
  expect(await verifyWebhook('{}', headers, OTHER)).toEqual({});
});

test.each([
  ['another secret', { secrets: [OTHER] }, {}, 'No signature'],
  ['another id', {}, { 'webhook-id': 'evt_2' }, 'No signature'],
  ['another version of signatures', {}, { 'webhook-signature': 'v0,AAAA' }, 'No signature'],
  ['no signature', {}, { 'webhook-signature': '' }, 'webhook-signature is missing'],
  ['no base64', {}, { 'webhook-signature': 'v1,ä' }, 'No signature'],
  ['an old time', { at: new Date(Date.now() - 400_000) }, {}, 'too old'],
  ['a time to come', { at: new Date(Date.now() + 400_000) }, {}, 'too old'],
  ['no time', {}, { 'webhook-timestamp': 'now' }, 'too old'],
])('a request with %s is refused', async (_what, how, changed, message) => {
  const headers = { ...signed('{}', how), ...changed };
  await expect(verifyWebhook('{}', headers, SECRET)).rejects.toThrow(message);
});

test('a secret that is none is named as the mistake', async () => {
  await expect(verifyWebhook('{}', signed('{}'), 'sar_key')).rejects.toThrow('begins with whsec_');
});

import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

function signed(body: string) {
  const at = new Date();
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', at, body),
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

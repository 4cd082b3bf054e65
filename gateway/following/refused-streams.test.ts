import { afterEach, describe, expect, test } from 'vitest';
import { inTime } from '#platform/process/waiting.ts';
import { readEvents, type ReadEvents } from '#support/rest/event-reader.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { testGateway } from '../testing/test-gateway.ts';
import { KEYS } from '../testing/fake-keys.ts';

const own = testGateway();
const LONG_MS = 2 * HANGS_AFTER_MS;
/** Longer than a change of a key takes to be effective. */
const STAYS_FOR_MS = 1_100;
const FIRST_EVENTS = ['queued', 'running'];
const statusesOf = ({ events }: ReadEvents) => events.map(({ id }) => id);

const opened: ReadEvents[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.leave();
});

interface Keyed {
  id: string;
  secret: string;
}

let made = 0;
function newKey(): Keyed {
  const secret = `streaming-${++made}`;
  KEYS[secret] = { ...KEYS['all-scopes']!, id: `key_${secret}` };
  return { secret, id: KEYS[secret].id };
}

const change = (secret: string, to: object) => void (KEYS[secret] = { ...KEYS[secret]!, ...to });

async function newRun(): Promise<string> {
  own.services.runTakesMs = LONG_MS;
  return (await own.run('', {})).body.job_id!;
}

/** Opens streams of runs that go on, and waits until each has reported its first events. */
async function streamsOf(...secrets: string[]): Promise<ReadEvents[]> {
  const open = async (secret: string) => {
    const stream = await readEvents(`${own.gateway.baseUrl}/api/v1/jobs/${await newRun()}/events`, {
      key: secret,
    });
    opened.push(stream);
    await expect.poll(() => statusesOf(stream)).toEqual(FIRST_EVENTS);
    return stream;
  };
  return Promise.all(secrets.map(open));
}

/** Whether the stream ends without an error within this time. */
const endsWithin = (stream: ReadEvents, ms: number) =>
  Promise.race([
    stream.ended.then(() => true),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), ms)),
  ]);

const CHANGES = {
  deleted: (secret: string) => void delete KEYS[secret],
  disabled: (secret: string) => change(secret, { disabled: true }),
  'without models:run': (secret: string) => change(secret, { scopes: ['models:read'] }),
};

/** How a request that waits is answered after each change. */
const REFUSALS = {
  deleted: [401, 'invalid_api_key'],
  disabled: [403, 'key_disabled'],
  'without models:run': [403, 'insufficient_scope'],
};

describe.each([
  ['announced', (keyId: string) => own.gateway.announceChange(keyId)],
  ['not announced', () => {}],
])('a key change that is %s', (_, announce) => {
  test.each(Object.entries(CHANGES))('cleanly ends every stream of a key that is %s', async (_name, make) => {
    const { id, secret } = newKey();
    const streams = await streamsOf(secret, secret);
    make(secret);
    announce(id);
    const ends = streams.map((stream) => endsWithin(stream, HANGS_AFTER_MS));
    expect(await Promise.all(ends)).toEqual([true, true]);
    expect(streams.map(statusesOf)).toEqual([FIRST_EVENTS, FIRST_EVENTS]);
  });

  test.each(Object.entries(CHANGES))(
    'ends the wait for a run of a key that is %s with the refusal, long before the run ends',
    async (name, make) => {
      const { id, secret } = newKey();
      own.services.runTakesMs = LONG_MS;
      const watched = own.services.watched.size;
      const response = own.gateway.request('/api/v1/models/model_f_combined/runs?wait=60', secret, {
        method: 'POST',
        headers: { 'X-End-User': 'tester' },
      });
      await expect.poll(() => own.services.watched.size).toBe(watched + 1);
      make(secret);
      announce(id);
      const { status, body } = await inTime(response, HANGS_AFTER_MS);
      expect([status, body.error?.code]).toEqual(REFUSALS[name as keyof typeof REFUSALS]);
      expect(body.result).toBeUndefined();
    },
  );

  test('leaves open the streams of other keys and of a changed key that is still valid', async () => {
    const [deleted, slowed, other] = [newKey(), newKey(), newKey()];
    const [gone, ...staying] = await streamsOf(deleted.secret, slowed.secret, other.secret);
    change(slowed.secret, { rate_limit_per_minute: 5 });
    CHANGES.deleted(deleted.secret);
    for (const { id } of [deleted, slowed]) announce(id);
    expect(await endsWithin(gone!, HANGS_AFTER_MS)).toBe(true);
    const ends = staying.map((stream) => endsWithin(stream, STAYS_FOR_MS));
    expect(await Promise.all(ends)).toEqual([false, false]);
  });
});

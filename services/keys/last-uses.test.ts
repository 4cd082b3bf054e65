import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { LastUses } from './last-uses.ts';

const START_MS = Date.parse('2026-11-20T03:00:10Z');

/** A LastUses whose writes end when the test says so. */
function controlled() {
  let nowMs = START_MS;
  const writes: { what: string; end: (error?: Error) => void }[] = [];
  const uses = new LastUses({
    clock: () => new Date(nowMs),
    log: createLogger('test', 'silent'),
    write: (keyId, usedAt) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve());
        writes.push({ what: `${keyId} ${usedAt.toISOString().slice(11, 19)}`, end });
      }),
  });
  const written = () => writes.map(({ what }) => what);
  return { uses, writes, written, passMs: (ms: number) => (nowMs += ms) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a key is written once a minute, with the start of the minute', async () => {
  const { uses, writes, written, passMs } = controlled();
  for (let i = 0; i < 3; i++) uses.note('key_a');
  writes[0]!.end();
  await turn();
  passMs(49_999);
  uses.note('key_a');
  expect(written()).toEqual(['key_a 03:00:00']);
  passMs(1);
  uses.note('key_a');
  expect(written()).toEqual(['key_a 03:00:00', 'key_a 03:01:00']);
});

test('one write is under way at a time; those noted meanwhile follow, each with its latest minute', async () => {
  const { uses, writes, written, passMs } = controlled();
  for (const key of ['key_a', 'key_b', 'key_c']) uses.note(key);
  expect(written()).toEqual(['key_a 03:00:00']);
  passMs(60_000);
  for (const key of ['key_b', 'key_a']) uses.note(key);
  for (let i = 0; i < 4; i++) {
    writes[i]!.end();
    await turn();
  }
  await uses.settled();
  const rest = ['key_b 03:01:00', 'key_c 03:00:00', 'key_a 03:01:00'];
  expect(written()).toEqual(['key_a 03:00:00', ...rest]);
});

test('a write that fails stops none after it, and the key is tried again a minute later', async () => {
  const { uses, writes, written, passMs } = controlled();
  for (const key of ['key_a', 'key_b']) uses.note(key);
  writes[0]!.end(new Error('away'));
  await turn();
  writes[1]!.end();
  await uses.settled();
  uses.note('key_a');
  expect(written()).toEqual(['key_a 03:00:00', 'key_b 03:00:00']);
  passMs(60_000);
  uses.note('key_a');
  expect(written().at(-1)).toBe('key_a 03:01:00');
});

import { expect, test } from 'vitest';
import { createLogger } from '#platform/operations/logger.ts';
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

test('the last use of a key is written at most once a minute, as the start of that minute', async () => {
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

test('writes run one at a time; keys used meanwhile follow, each with its latest minute', async () => {
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

test('a failed write does not block the next ones, and its key is retried a minute later', async () => {
  const { uses, writes, written, passMs } = controlled();
  for (const key of ['key_a', 'key_b']) uses.note(key);
  writes[0]!.end(new Error('unavailable'));
  await turn();
  writes[1]!.end();
  await uses.settled();
  uses.note('key_a');
  expect(written()).toEqual(['key_a 03:00:00', 'key_b 03:00:00']);
  passMs(60_000);
  uses.note('key_a');
  expect(written().at(-1)).toBe('key_a 03:01:00');
});

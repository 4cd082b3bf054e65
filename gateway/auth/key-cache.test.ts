import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { ServiceError } from '#shared/service-error.ts';
import { HARD_LIFETIME_MS, KeyCache, SOFT_LIFETIME_MS } from './key-cache.ts';

const away = new ServiceError('data_unavailable', 'away');
const unknown = new ServiceError('invalid_api_key', 'unknown');

/** A key whose name tells which question it answers. */
const keyNo = (question: number, id = 'key_1') => ({ id, name: String(question) }) as ApiKey;

/** A cache over a keys service that answers when the test says so. */
function controlled(maxEntries?: number) {
  let now = 0;
  const asked: {
    secret: string;
    atMs: number;
    answer: (key: ApiKey) => void;
    refuse: (error: Error) => void;
  }[] = [];
  const keys = new KeyCache({
    nowMs: () => now,
    lookUp: (secret) => new Promise((answer, refuse) => asked.push({ secret, atMs: now, answer, refuse })),
    ...(maxEntries !== undefined && { maxEntries }),
  });
  return { keys, asked, advance: (ms: number) => (now += ms), now: () => now };
}

async function known(secret = 'secret') {
  const cache = controlled();
  const found = cache.keys.find(secret);
  cache.asked[0]!.answer(keyNo(0));
  await found;
  return cache;
}

describe('a known key', () => {
  test('is served without a question while it is fresh', async () => {
    const { keys, asked, advance } = await known();
    advance(SOFT_LIFETIME_MS - 1);
    expect(keys.find('secret')).toEqual(keyNo(0));
    expect(asked).toHaveLength(1);
  });

  test('is served while one question refreshes it, and the new answer after that', async () => {
    const { keys, asked, advance } = await known();
    advance(SOFT_LIFETIME_MS);
    expect([keys.find('secret'), keys.find('secret')]).toEqual([keyNo(0), keyNo(0)]);
    expect(asked).toHaveLength(2);
    asked[1]!.answer(keyNo(1));
    await Promise.resolve();
    await Promise.resolve();
    expect(keys.find('secret')).toEqual(keyNo(1));
  });

  test('is known before and after its lifetime, until it is forgotten', async () => {
    const { keys, advance } = await known();
    advance(10 * HARD_LIFETIME_MS);
    expect([keys.knows('secret'), keys.knows('other')]).toEqual([true, false]);
    keys.forget('key_1');
    expect(keys.knows('secret')).toBe(false);
  });

  test('outlives a failed refresh until its hard lifetime, then the failure is told', async () => {
    const { keys, asked, advance } = await known();
    advance(SOFT_LIFETIME_MS);
    expect(keys.find('secret')).toEqual(keyNo(0));
    asked[1]!.refuse(away);
    await new Promise((resolve) => setImmediate(resolve));
    advance(HARD_LIFETIME_MS - SOFT_LIFETIME_MS - 1);
    expect(keys.find('secret')).toEqual(keyNo(0));
    advance(1);
    const late = keys.find('secret');
    asked.at(-1)!.refuse(away);
    await expect(late).rejects.toBe(away);
  });

  test('is dropped as soon as a refresh says that it is unknown', async () => {
    const { keys, asked, advance } = await known();
    advance(SOFT_LIFETIME_MS);
    void keys.find('secret');
    asked[1]!.refuse(unknown);
    await new Promise((resolve) => setImmediate(resolve));
    const next = keys.find('secret');
    asked[2]!.refuse(unknown);
    await expect(next).rejects.toBe(unknown);
  });

  test('is asked for anew once it was announced as changed, and no other key is', async () => {
    const { keys, asked } = await known();
    const other = keys.find('other');
    asked[1]!.answer(keyNo(1, 'key_2'));
    await other;
    keys.forget('key_1');
    expect(keys.find('other')).toEqual(keyNo(1, 'key_2'));
    void keys.find('secret');
    expect(asked.map(({ secret }) => secret)).toEqual(['secret', 'other', 'secret']);
  });
});

test('a change forgets a key under each of its secrets', async () => {
  const { keys, asked } = controlled();
  const found = [keys.find('older secret'), keys.find('newer secret')];
  for (const question of [0, 1]) asked[question]!.answer(keyNo(question));
  for (const each of found) await each;
  keys.forget('key_1');
  expect(keys.size).toBe(0);
});

test('an answer to a question from before a change is not kept, and nobody later joins that question', async () => {
  const { keys, asked } = controlled();
  const early = keys.find('secret');
  keys.forget('key_1');
  const late = keys.find('secret');
  asked[0]!.answer(keyNo(0));
  asked[1]!.answer(keyNo(1));
  expect(await early).toEqual(keyNo(0));
  expect(await late).toEqual(keyNo(1));
  expect(keys.find('secret')).toEqual(keyNo(1));
});

test('many at once share one question', async () => {
  const { keys, asked } = controlled();
  const all = Array.from({ length: 100 }, async () => keys.find('secret'));
  expect(asked).toHaveLength(1);
  asked[0]!.answer(keyNo(0));
  expect(new Set(await Promise.all(all)).size).toBe(1);
});

test('a refused secret is asked for each time, so that a key created a moment later works at once', async () => {
  const { keys, asked } = controlled();
  const before = keys.find('secret');
  asked[0]!.refuse(unknown);
  await expect(before).rejects.toBe(unknown);
  const after = keys.find('secret');
  asked[1]!.answer(keyNo(1));
  expect(await after).toEqual(keyNo(1));
});

test('no more entries are kept than allowed, whatever is asked', async () => {
  const { keys, asked } = controlled(10);
  for (let i = 0; i < 50; i++) {
    const found = keys.find(`secret ${i}`);
    asked[i]!.answer(keyNo(i, `key_${i}`));
    await found;
    expect(keys.size).toBeLessThanOrEqual(10);
  }
});

const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('request' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(100, 399, 500, 899) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(5),
      answer: fc.constantFrom('key', 'away', 'unknown'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const) }) },
);

test('at no time and under no failures is anybody answered from a question that is too old', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
      const { keys, asked, advance, now } = controlled();
      let lastAnnouncedQuestion = 0;
      const open: number[] = [];
      const answers: { question: number; requestedAtMs: number; oldestAllowed: number }[] = [];
      for (const step of events) {
        if (step.kind === 'pass') advance(step.ms);
        if (step.kind === 'change') {
          keys.forget('key_1');
          lastAnnouncedQuestion = asked.length;
        }
        if (step.kind === 'request') {
          const before = asked.length;
          const request = { requestedAtMs: now(), oldestAllowed: lastAnnouncedQuestion };
          const answered = (key: ApiKey) => answers.push({ ...request, question: Number(key.name) });
          const found = keys.find('secret');
          if (asked.length > before) open.push(before);
          if (found instanceof Promise) found.then(answered, () => {});
          else answered(found);
        }
        if (step.kind === 'settle' && open.length > 0) {
          const [question] = open.splice(step.which % open.length, 1);
          if (step.answer === 'key') asked[question!]!.answer(keyNo(question!));
          else asked[question!]!.refuse(step.answer === 'away' ? away : unknown);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      for (const { question, requestedAtMs, oldestAllowed } of answers) {
        expect(requestedAtMs - asked[question]!.atMs).toBeLessThan(HARD_LIFETIME_MS);
        expect(question).toBeGreaterThanOrEqual(oldestAllowed);
      }
    }),
    { numRuns: 500 },
  );
});

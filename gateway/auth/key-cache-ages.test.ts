import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { unavailable, controlled, keyNo, unknown } from '../testing/controlled-keys.ts';
import { HARD_LIFETIME_MS } from './key-cache.ts';

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
      answer: fc.constantFrom('key', 'unavailable', 'unknown'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const) }) },
);

test('the cache never answers from a look-up that exceeds its hard lifetime or predates an announced change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
      const { keys, asked: requested, advance, now } = controlled();
      let lastAnnouncedQuestion = 0;
      const open: number[] = [];
      const responses: { question: number; requestedAtMs: number; oldestAllowed: number }[] = [];
      for (const step of events) {
        if (step.kind === 'pass') advance(step.ms);
        if (step.kind === 'change') {
          const knew = keys.knows('secret');
          keys.outdate('key_1');
          expect(keys.knows('secret')).toBe(knew);
          lastAnnouncedQuestion = requested.length;
        }
        if (step.kind === 'request') {
          const before = requested.length;
          const request = { requestedAtMs: now(), oldestAllowed: lastAnnouncedQuestion };
          const answered = (key: ApiKey) => responses.push({ ...request, question: Number(key.name) });
          const found = keys.find('secret');
          if (requested.length > before) open.push(before);
          if (found instanceof Promise) found.then(answered, () => {});
          else answered(found);
        }
        if (step.kind === 'settle' && open.length > 0) {
          const [question] = open.splice(step.which % open.length, 1);
          if (step.answer === 'key') requested[question!]!.answer(keyNo(question!));
          else requested[question!]!.refuse(step.answer === 'unavailable' ? unavailable : unknown);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      for (const { question, requestedAtMs, oldestAllowed } of responses) {
        expect(requestedAtMs - requested[question]!.atMs).toBeLessThan(HARD_LIFETIME_MS);
        expect(question).toBeGreaterThanOrEqual(oldestAllowed);
      }
    }),
    { numRuns: 500 },
  );
});

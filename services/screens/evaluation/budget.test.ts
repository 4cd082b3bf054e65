import { expect, test } from 'vitest';
import { EvaluationBudget } from './budget.ts';

const DONE = async () => 'done';

function budgetOf(limits: { atOnce?: number; daysPerMinute?: number }) {
  const clock = { ms: 0 };
  const spentBy: string[] = [];
  const budget = new EvaluationBudget({
    atOnce: 2,
    daysPerMinute: 10,
    ...limits,
    nowMs: () => clock.ms,
    onSpent: (apiKeyId) => spentBy.push(apiKeyId),
  });
  return { clock, budget, spentBy };
}

test('days are spent by key, and a new minute brings new ones', async () => {
  const { clock, budget, spentBy } = budgetOf({});
  await budget.spend('a', 8, DONE);
  await expect(budget.spend('a', 3, DONE)).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'The key has used up its 10 days of screens evaluated within a minute.',
    retryAfterSeconds: 60,
  });
  expect(await budget.spend('a', 2, DONE)).toBe('done');
  expect(await budget.spend('b', 10, DONE)).toBe('done');
  clock.ms = 58_001;
  await expect(budget.spend('a', 1, DONE)).rejects.toMatchObject({ retryAfterSeconds: 2 });
  clock.ms = 60_000;
  expect(await budget.spend('a', 10, DONE)).toBe('done');
  expect(spentBy).toEqual(['a', 'a']);
});

test('evaluations at once are counted by key until they end, also by failing', async () => {
  const { budget } = budgetOf({});
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const running = [budget.spend('a', 1, () => first.promise), budget.spend('a', 1, () => second.promise)];
  await expect(budget.spend('a', 1, DONE)).rejects.toMatchObject({
    code: 'rate_limited',
    message: '2 evaluations of screens of this key are running, which is the most at once.',
  });
  expect(await budget.spend('b', 1, DONE)).toBe('done');
  first.reject(new Error('no answer'));
  await expect(running[0]).rejects.toThrow('no answer');
  expect(await budget.spend('a', 1, DONE)).toBe('done');
  second.resolve('done');
  expect(await running[1]).toBe('done');
});

test('what is refused costs nothing', async () => {
  const { budget } = budgetOf({ daysPerMinute: 2 });
  await expect(budget.spend('a', 3, DONE)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await budget.spend('a', 2, DONE)).toBe('done');
});

import { expect, test } from 'vitest';
import { CallCost } from './call-cost.ts';

test('work that is paid is charged, in whole milliseconds and never nothing', () => {
  const cost = new CallCost(10);
  cost.charge(0);
  cost.charge(2.1);
  expect(cost.chargedMs).toBe(4);
});

test('work beyond what was paid is refused with what all of it costs, and nothing of it is charged', () => {
  const cost = new CallCost(10);
  cost.charge(8);
  expect(() => cost.charge(3)).toThrow(expect.objectContaining({ code: 'rate_limited', costMs: 11 }));
  expect(cost.chargedMs).toBe(8);
  cost.charge(2);
});

test('the charge for work that does not begin is taken back', () => {
  const cost = new CallCost(10);
  const takeBack = cost.charge(9);
  takeBack();
  expect(cost.chargedMs).toBe(0);
});

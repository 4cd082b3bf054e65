import { expect, test } from 'vitest';
import { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { TradingDays } from './trading-days.ts';

const served = { version: 'synthetic-1', days: ['2026-09-29', '2026-09-30'] };
const requested: string[] = [];
/** A version that was served after its days were read. */
let newer: string | undefined;
const datasets = {
  listTradingDays: async ({ known_version }: { known_version: string }) => {
    requested.push(known_version);
    return known_version === served.version ? { ...served, days: [] } : served;
  },
  getCurrentDataset: async () => {
    const broker_days = { broker_first_date: served.days[1] ?? '', broker_last_date: served.days[1] ?? '' };
    const blank = Dataset.decode(new Uint8Array());
    const whole_until = served.days.at(-1) ?? '';
    const dataset = { ...blank, ...broker_days, whole_until, version: newer ?? served.version };
    return { dataset, data_loaded: true, lost_version: '' };
  },
};
/** Versions for which workers have trained. */
const trained = ['synthetic-1', 'synthetic-2'];
const days = new TradingDays(datasets, (version) => trained.includes(version));

test('the trading days of a version are read once, and again when another version is served', async () => {
  expect(days.onOrBefore('2026-10-03')).toBeUndefined();
  expect(await days.areKnownWithin(0)).toBe(false);
  const known = days.areKnownWithin(HANGS_AFTER_MS);
  await days.refresh();
  expect(await known).toBe(true);
  await days.refresh();
  expect(requested).toEqual(['', 'synthetic-1']);
  expect(['2026-10-03', '2026-09-29', '2026-09-28'].map((day) => days.onOrBefore(day))).toEqual([
    '2026-09-30',
    '2026-09-29',
    undefined,
  ]);
  expect(days.data).toEqual({
    dates: ['2026-09-29', '2026-09-30'],
    stocks: 0,
    brokerDates: { first: '2026-09-30', last: '2026-09-30' },
  });
  Object.assign(served, { version: 'synthetic-2', days: ['2026-10-01'] });
  newer = 'synthetic-3';
  await days.refresh();
  expect(days.onOrBefore('2026-10-03')).toBe('2026-09-30');
  newer = undefined;
  await days.refresh();
  expect(days.onOrBefore('2026-10-03')).toBe('2026-10-01');
  expect(days.data.brokerDates).toBeUndefined();
});

test('a day that workers have not learnt yet counts for runs that name it, and for others once it is learnt', async () => {
  Object.assign(served, { version: 'synthetic-4', days: ['2026-10-01', '2026-10-02'] });
  await days.refresh();
  expect(days.isLearning).toBe(true);
  const answers = () => [days.onOrBefore('2026-10-03'), days.newestTrained('2026-10-03')];
  expect(answers()).toEqual(['2026-10-02', '2026-10-01']);
  expect(days.newestTrained('2026-09-30')).toBeUndefined();
  trained.push('synthetic-4');
  expect(answers()).toEqual(['2026-10-02', '2026-10-02']);
  expect(days.isLearning).toBe(false);
});

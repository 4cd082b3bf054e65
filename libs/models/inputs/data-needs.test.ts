import { describe, expect, test } from 'vitest';
import { weekdays } from '#support/markets/idx-archive.ts';
import { shortfallOf } from './data-needs.ts';
import { grossAlpha } from '../gross-alpha/model.ts';
import type { Model } from '../model/model.ts';
import { defaultsOf } from './parameters.ts';
import { MODELS } from '../registry.ts';

const DATES = weekdays('2020-01-01', 1_000);

interface Situation {
  /** Number of trading days. */
  days?: number;
  /** First and last day with broker rows, by their places; undefined for none. */
  brokerDays?: readonly [from: number, to: number] | undefined;
  date?: string;
  stocks?: number;
}

/** What a run with default parameters lacks. */
function lacks(
  model: Model,
  { days = 1_000, date = '2030-01-01', stocks = 900, ...rest }: Situation,
): string | undefined {
  const dates = DATES.slice(0, days);
  const span = 'brokerDays' in rest ? rest.brokerDays : ([0, days - 1] as const);
  const brokerDates = span && { first: dates[span[0]]!, last: dates[span[1]]! };
  return shortfallOf(model, defaultsOf(model.params), { dates, stocks, brokerDates }, date)?.in.en;
}

test.each(MODELS.map((model) => [model.id, model] as const))(
  '%s can run from the first day on that it says, and not a day sooner',
  (_, model) => {
    const least = model.leastDays(defaultsOf(model.params));
    expect(lacks(model, { days: least })).toBeUndefined();
    expect(lacks(model, { days: least - 1 })).toBe(
      `There are only ${least - 1} trading days of data, and the model needs ${least}.`,
    );
    expect(lacks(model, { date: DATES[least - 1]! })).toBeUndefined();
    expect(lacks(model, { date: DATES[least - 2]! })).toMatch(/is too early/);
  },
);

test('a model that learns cannot run on stocks that give it too few examples, however many days there are', () => {
  for (const model of MODELS.filter(({ learns }) => learns)) {
    expect(lacks(model, { days: 274, stocks: 2 })).toBe(
      'There is too little data to learn from: at most 260 examples (stocks: 2), and the model needs 1,000.',
    );
    expect(lacks(model, { days: 274, stocks: 8 })).toBeUndefined();
    expect(lacks(model, { days: 1_000, stocks: 1 })).toMatch(/\(stocks: 1\)/);
  }
  expect(
    lacks(
      MODELS.find(({ learns }) => !learns)!,
      { days: 274, stocks: 2 },
    ),
  ).toBeUndefined();
});

describe('a model that needs broker rows', () => {
  test('cannot run without them', () => {
    expect(lacks(grossAlpha, { brokerDays: undefined })).toMatch(
      /In the window of the analysis.+covers 0\.0%.+needs 80%/,
    );
  });

  test('cannot run where they end before the window of the analysis', () => {
    expect(lacks(grossAlpha, { brokerDays: [0, 980] })).toMatch(/In the window of the analysis/);
  });

  test('can run where they cover four fifths of the days to learn from, and not with fewer', () => {
    // It learns from the 500 days up to 25 days before the last, 475 to 974.
    expect(lacks(grossAlpha, { brokerDays: [575, 999] })).toBeUndefined();
    expect(lacks(grossAlpha, { brokerDays: [576, 999] })).toMatch(/In the days to learn from.+covers 79\.8%/);
  });

  test('needs none for days on which no stock has enough history', () => {
    expect(lacks(grossAlpha, { days: 300, brokerDays: [119, 299] })).toBeUndefined();
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { TrainingCancelled } from '#quant/learning/boosting/trainer.ts';
import { superiorityOver } from '#quant/learning/validation/superiority.ts';
import { panelOf, poisonedPanel, type BarFixture } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { FORMATS } from '#foundation/text/languages.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { RunFailure } from '../inputs/run-failure.ts';
import { learnMarket } from './learn-market.ts';
import { described, trained, PARAMS, REQUEST } from '../fixtures/learning-fixture.ts';
import type { ExtraFeatures, TrainedMarket } from './trained-market.ts';
import { EMBARGO_DAYS } from '../inputs/history.ts';
import { DAYS_APART } from './training.ts';
import { walkBars } from './walk-fixture.ts';

describe('learning a market', () => {
  let bars: BarFixture[];
  let panel: Panel;
  let asOf: string;
  let market: TrainedMarket;
  beforeAll(async () => {
    bars = walkBars({ seed: 3, tickers: 60, days: 420, pull: 0.3 });
    panel = panelOf(bars);
    asOf = panel.columns.dates[399]!;
    market = await trained(panel, { analysisDate: asOf });
  });

  /** Everything trained, without the row numbers in memory. */
  function reported({ stocks, past, model, description, baseRate }: TrainedMarket) {
    const names = [stocks, past].map((list) => list.map(({ row: _, panelRow: __, ...stock }) => stock));
    return JSON.stringify([names, baseRate, description, Buffer.from(model.onnx).toString('base64')]);
  }

  test('gives the same bytes whether later days are missing or different', async () => {
    const expected = reported(market);
    const known = panelOf(bars.filter(({ date }) => date <= asOf));
    expect(reported(await trained(known, { analysisDate: asOf }))).toBe(expected);
    for (const nonsense of [NaN, 1e9])
      expect(reported(await trained(poisonedPanel(panel, 399, nonsense), { analysisDate: asOf }))).toBe(
        expected,
      );
  });

  test('gives different bytes on poisoned days when a feature looks one day ahead', async () => {
    const trainedAhead = (of: Panel) => {
      const { close } = of.columns;
      const { panelRow } = screenInput({ panel: of, params: PARAMS }).features().columns;
      const read: ExtraFeatures['read'] = (rows, [ahead]) => {
        for (const [i, row] of rows.entries())
          ahead![i] = close[panelRow[row]! + 1]! / close[panelRow[row]!]!;
      };
      return trained(of, { analysisDate: asOf, extraFeatures: { names: ['ahead'], read } });
    };
    expect(reported(await trainedAhead(poisonedPanel(panel, 399, 1e9)))).not.toBe(
      reported(await trainedAhead(panel)),
    );
  });

  test('gives the same bytes on two threads as on one', async () => {
    const onTwo = screenInput({ panel, params: PARAMS, threads: 2 });
    expect(reported(await learnMarket(onTwo, { ...REQUEST, analysisDate: asOf }))).toBe(reported(market));
  });

  test('gives every name of the day a chance and its superiority over the base rate', () => {
    expect(market.asOf).toBe(asOf);
    expect(market.stocks.map(({ code }) => code)).toEqual(panel.columns.tickers);
    const superiority = superiorityOver(market.baseRate);
    for (const { chance, baseRate, probability, panelRow, close } of market.stocks) {
      expect(baseRate).toBe(market.baseRate);
      expect(probability).toBe(superiority(chance));
      expect(close).toBe(panel.columns.close[panelRow]);
    }
    expect(new Set(market.stocks.map(({ chance }) => chance)).size).toBeGreaterThan(20);
  });

  test('gives past forecasts only for days with known outcomes in the last three folds', () => {
    const days = [...new Set(market.past.map(({ day }) => day))];
    const { training, out_of_fold } = described(market);
    expect(days).toEqual(days.toSorted((a, b) => a - b));
    expect(days.at(-1)).toBe(market.day - REQUEST.horizonDays - EMBARGO_DAYS);
    expect(days.length).toBe((3 * Math.floor(0.1 * training.days)) / DAYS_APART);
    expect(out_of_fold.rows).toBe(market.past.length);
  });

  test('scores no name that closed at its upper limit, neither today nor on a past day', async () => {
    const [, second] = panel.columns.tickers;
    const lastPastDay = market.past.at(-1)!.day;
    const isLocked = ({ ticker, date }: BarFixture) =>
      ticker === second && (date === asOf || date === panel.columns.dates[lastPastDay]);
    const locked = bars.map((bar) =>
      isLocked(bar) ? { ...bar, previous: Math.floor(bar.close / 1.25) } : bar,
    );
    const { stocks, past } = await trained(panelOf(locked), { analysisDate: asOf });
    expect(stocks.map(({ code }) => code)).toEqual(panel.columns.tickers.filter((code) => code !== second));
    const codesOf = (day: number) => past.filter((one) => one.day === day).map(({ code }) => code);
    expect(codesOf(lastPastDay)).not.toContain(second);
    expect(codesOf(lastPastDay - DAYS_APART)).toContain(second);
  });

  test('compares a past forecast with a base rate that no outcome after its fold began shapes', async () => {
    const rateOn = (of: TrainedMarket) => new Map(of.past.map(({ day, baseRate }) => [day, baseRate]));
    const rates = rateOn(market);
    const ofFolds = [...new Set(rates.values())];
    expect(ofFolds).toHaveLength(3);
    const daysOfFold = ofFolds.map((rate) => [...rates.keys()].filter((day) => rates.get(day) === rate));
    const [, [firstDay]] = daysOfFold as [number[], number[], number[]];
    const from = panel.columns.dates[firstDay!]!;
    // From then on prices are a tenth higher: whatever was still held has reached its target.
    const risen = bars.map((bar) => {
      if (bar.date < from) return bar;
      const { previous, close, high, low, value } = bar;
      const [up, before] = [1.1, bar.date === from ? 1 : 1.1];
      return {
        ...bar,
        previous: previous! * before,
        close: close * up,
        high: high! * up,
        low: low! * up,
        value: value! * up,
      };
    });
    const changed = rateOn(await trained(panelOf(risen), { analysisDate: asOf }));
    const [first, second, third] = daysOfFold.map((days) => days.map((day) => changed.get(day)));
    expect(first).toEqual(first!.map(() => ofFolds[0]));
    expect(second).toEqual(second!.map(() => ofFolds[1]));
    expect(third).not.toContain(ofFolds[2]);
  });

  test('measures quality over what would have been picked on each past day', () => {
    const high = market.past.filter(({ probability }) => probability >= 60);
    const wins = high.filter(({ won }) => won).length;
    const quality = market.quality((ofDay) => ofDay.filter(({ probability }) => probability >= 60));
    expect(quality.candidates).toBe(high.length);
    expect(quality.win_rate).toBeCloseTo((100 * wins) / high.length, 1);
    expect(market.quality(() => [])).toStrictEqual({ candidates: 0, unfilled: 0 });
  });

  test('uses the extra features of a run along with those of the table', async () => {
    const { close } = panel.columns;
    const table = screenInput({ panel, params: PARAMS }).features();
    const extraFeatures: ExtraFeatures = {
      names: ['constant', 'reported'],
      read: (rows, [constant, reported]) => {
        constant!.fill(3);
        for (const [i, row] of rows.entries()) {
          const today = table.columns.panelRow[row]!;
          reported![i] = table.dayOf(row) < 390 ? close[today + 3]! / close[today]! : 1;
        }
      },
    };
    const { out_of_fold, features } = described(await trained(panel, { analysisDate: asOf, extraFeatures }));
    expect(features[0]!.name).toBe('reported');
    expect(out_of_fold.auc).toBeGreaterThan(described(market).out_of_fold.auc! + 0.1);
  });

  test('ends between two trees when the run is cancelled', async () => {
    for (const trees of [1, 90]) {
      let requested = 0;
      await expect(trained(panel, {}, { shouldStop: () => ++requested >= trees })).rejects.toThrow(
        TrainingCancelled,
      );
      expect(requested).toBe(trees);
    }
  });

  test('refuses a day with too little history and names the first day that works', async () => {
    const failure = await trained(panel, { analysisDate: panel.columns.dates[150]! }).catch(
      (e: unknown) => e,
    );
    expect(failure).toBeInstanceOf(RunFailure);
    const { message } = failure as RunFailure;
    const first = panel.columns.dates.findLastIndex((date) => message.includes(FORMATS.en.date(date)));
    expect(first).toBeGreaterThan(150);
    const small = await trained(panel, { analysisDate: panel.columns.dates[first]! });
    expect(small.stocks.length).toBeGreaterThan(0);
    await expect(trained(panel, { analysisDate: panel.columns.dates[first - 1]! })).rejects.toThrow(
      RunFailure,
    );
  });

  test('refuses a market with too few liquid names', async () => {
    const few = panelOf(bars.filter(({ ticker }) => ticker < 'T003'));
    const failure = trained(few);
    await expect(failure).rejects.toThrow(/too little data/);
    await expect(failure).rejects.toMatchObject({ code: 'insufficient_data' });
  });
});

import { screen } from './screen.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { TrainingCancelled } from '#quant/learning/boosting/trainer.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { keptModels } from '../trained/model-cache-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { RunFailure } from '../inputs/run-failure.ts';
import type { ScreenInput } from '../model/screen.ts';
import { brokerMarket, type BrokerMarket, DEFAULTS, panelAndDays } from './gross-fixture.ts';
import type { GrossAlphaParams } from './params.ts';

/** Model C from bars and broker rows to result, with the model that it learns. */

interface Given extends Partial<Pick<ScreenInput, 'shouldStop' | 'modelCache'>> {
  panel: Panel;
  brokerDays: BrokerDays;
  asOf?: string;
  threads?: number;
}

interface Model {
  training: { from: string; to: string; days: number };
  out_of_fold: { auc: number; rows: number };
  features: { name: string }[];
}

async function run({ asOf, ...given }: Given, change: Partial<GrossAlphaParams> = {}) {
  const analysisDate = asOf ?? given.panel.columns.dates.at(-1)!;
  const params = { ...DEFAULTS, ...change };
  const { result, summary, model } = await screen.run(screenInput({ ...given, params, analysisDate }));
  const diag = result['diag'] as { model: Model; broker_coverage: object };
  return { result, diag, text: JSON.stringify([result, summary, model!.fingerprint, [...model!.onnx]]) };
}

describe('the out-of-fold AUC', () => {
  test('is 0.5 within 0.02 when brokers know nothing', async () => {
    const { diag } = await run(panelAndDays(brokerMarket({ seed: 4, tickers: 150, days: 440, pull: 0 })));
    expect(diag.model.out_of_fold.rows).toBeGreaterThan(3_500);
    expect(Math.abs(diag.model.out_of_fold.auc - 0.5)).toBeLessThan(0.02);
  });

  test('is above 0.65 when brokers know what comes, with a broker feature as the strongest', async () => {
    const { panel, brokerDays } = panelAndDays(brokerMarket({ seed: 2, tickers: 40, days: 440, pull: 0.3 }));
    const { diag } = await run({ panel, brokerDays });
    expect(diag.model.out_of_fold.auc).toBeGreaterThan(0.65);
    expect(diag.model.features[0]!.name).toMatch(/^bandar_net/);
  });
});

describe('a run of model C', () => {
  let market: BrokerMarket;
  let whole: Given;
  let asOf: string;
  let usual: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    market = brokerMarket({ seed: 3, tickers: 40, days: 440, pull: 0.3 });
    const { panel, brokerDays } = panelAndDays(market);
    asOf = panel.columns.dates[420]!;
    whole = { panel, brokerDays, asOf };
    usual = await run(whole);
  });

  test('depends on which brokers traded on the analysed day and on a training day', async () => {
    const swapped: Record<string, string> = { CC: 'XL', XL: 'CC' };
    for (const day of [420, 300]) {
      const date = whole.panel.columns.dates[day]!;
      const rows = market.rows.map((row) =>
        row.date === date ? { ...row, broker: swapped[row.broker] ?? row.broker } : row,
      );
      expect((await run({ ...panelAndDays({ ...market, rows }), asOf })).text).not.toBe(usual.text);
    }
  });

  test('gives the same bytes on one thread or two, whatever runs came before', async () => {
    await run(whole, { flow_window: 20 });
    await run({ ...whole, asOf: whole.panel.columns.dates[400]! });
    expect((await run(whole)).text).toBe(usual.text);
    expect((await run({ ...panelAndDays(market), asOf, threads: 2 })).text).toBe(usual.text);
  });

  test('can be cancelled while its features are computed and leaves no partial state', async () => {
    const cold = panelAndDays(market);
    let requested = 0;
    const stopped = run({ ...cold, asOf, shouldStop: () => ++requested >= 50 });
    await expect(stopped).rejects.toThrow(TrainingCancelled);
    expect(requested).toBe(50);
    expect((await run({ ...cold, asOf })).text).toBe(usual.text);
  });

  test.each<Partial<GrossAlphaParams>>([
    { flow_window: 5 },
    { broker_group: 'foreign' },
    { broker_group: 'bandar' },
    { broker_group: 'ex_retail' },
    { train_days: 260 },
    { target_gain: 0.08 },
    { stop_loss: 0.08 },
  ])('learns another model with %j', async (change) => {
    const other = await run(whole, change);
    const reported = ({ diag }: typeof usual) => (diag.model as { onnx_sha256?: string }).onnx_sha256;
    expect(reported(usual)).toMatch(/^[0-9a-f]{64}$/);
    expect(reported(other)).not.toBe(reported(usual));
  });

  test('reads the training days with their windows, up to the analysed day, only when it learns', async () => {
    const { panel, brokerDays } = whole;
    const { training } = usual.diag.model;
    const spans: DaySpan[] = [];
    const modelCache = keptModels();
    const given = screenInput({ panel, brokerDays, params: { ...DEFAULTS }, analysisDate: asOf, modelCache });
    const brokerDaysOf = async (span: DaySpan) => {
      spans.push(span);
      return brokerDays;
    };
    expect((await screen.run({ ...given, brokerDaysOf })).origin).toBe('learnt');
    expect((await screen.run({ ...given, brokerDaysOf })).origin).toBe('reused');
    expect(spans).toHaveLength(1);
    const { firstDay, lastDay } = spans[0]!;
    expect(lastDay).toBe(420);
    // With an even number of days, the oldest is not trained on.
    expect(panel.columns.dates[firstDay + 65 + 1]).toBe(training.from);
    expect(panel.columns.dates.indexOf(training.to)).toBe(420 - 25);
  });

  test('with a model that is there already needs only the windows of the analysed day', async () => {
    const { panel } = whole;
    const modelCache = keptModels();
    await run({ ...whole, modelCache });
    const { firstDay } = screen.brokerDaySpan!(panel, { ...DEFAULTS }, asOf)!;
    const firstDate = panel.columns.dates[firstDay]!;
    const recent = panelAndDays({ ...market, rows: market.rows.filter(({ date }) => date >= firstDate) });
    const change = { exclude_retail_led: true, max_picks: 3 };
    const reused = await run(
      { panel, brokerDays: recent.brokerDays.beside(panel), asOf, modelCache },
      change,
    );
    expect(reused.text).toBe((await run(whole, change)).text);
    expect(screen.brokerDaySpan!(panel, { ...DEFAULTS }, '1999-01-01')).toBeUndefined();
  });

  describe('fails unless broker rows cover 80 % of the stock-days', () => {
    const without = (isMissing: (day: string, ticker: string) => boolean) =>
      panelAndDays({ ...market, rows: market.rows.filter(({ date, ticker }) => !isMissing(date, ticker)) });
    const ofTickers = (count: number) => (ticker: string) => Number(ticker.slice(1)) < count;
    const dates = () => whole.panel.columns.dates;

    test.each([
      ['the window', 'the window of the analysis', 411, 420],
      ['the training days', 'the days to learn from', 146, 395],
    ])('of %s', async (_, name, first, last) => {
      const isIn = (date: string) => date >= dates()[first]! && date <= dates()[last]!;
      const enough = without((date, ticker) => isIn(date) && ofTickers(7)(ticker));
      expect((await run({ ...enough, asOf })).result['pick_count']).toBeGreaterThanOrEqual(0);
      const tooFew = without((date, ticker) => isIn(date) && ofTickers(9)(ticker));
      const failure = run({ ...tooFew, asOf });
      await expect(failure).rejects.toThrow(RunFailure);
      await expect(failure).rejects.toMatchObject({ code: 'insufficient_data' });
      await expect(failure).rejects.toThrow(
        /^The broker data for this day is not complete, so that the model cannot run\./,
      );
      await expect(failure).rejects.toThrow(`In ${name}, `);
      await expect(failure).rejects.toThrow(
        /covers 7\d\.\d% of the daily trades of liquid stocks.+needs 80%\.$/,
      );
    });

    test('and says so when there are no rows at all', async () => {
      await expect(run({ ...without(() => true), asOf })).rejects.toThrow('covers 0.0%');
    });
  });
});

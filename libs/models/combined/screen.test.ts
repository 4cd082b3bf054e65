import { asRead } from '../fixtures/read-result-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { params as ofModelD } from '../confluence-filter/params.ts';
import { describe, expect, test } from 'vitest';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { screen as modelD } from '../confluence-filter/screen.ts';
import { trainedMarketOf } from '../trained/trained-market-fixture.ts';
import type { TrainedMarket } from '../trained/trained-market.ts';
import { cautionOf } from '../trained/out-of-fold.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { screen as model } from './screen.ts';
import {
  compact,
  DEFAULTS,
  EVERY_STRATEGY,
  full,
  market,
  screen,
  tickers,
  type Compact,
} from './combined-fixture.ts';
import { LAST_DAY, panel, table } from '../fixtures/given-probabilities-fixture.ts';
import type { CombinedParams } from './params.ts';

describe('a threshold above the highest probability of the day', () => {
  test('is not blamed when the signal filter removes all names', () => {
    const likely = trainedMarketOf(table, LAST_DAY, () => 80);
    const change = { strategy: 'Gated', min_signals: 4, min_price: 5000 } as const;
    const strict = screen(change, { view: 'compact' }, likely);
    const { empty } = asRead<Compact>(strict.result);
    expect(empty!.suggestions.map(({ label }) => label)).toContain('Sinyal minimum');
    for (const { why } of empty!.suggestions) expect(why).not.toMatch(/Nilai tertinggi/);
  });

  test('is the only suggestion when signals are not a floor', () => {
    const { suggestions } = compact({ min_signals: 4, min_probability: 100 }).empty!;
    expect(suggestions.map(({ label }) => label)).toEqual(['Probabilitas minimum']);
  });
});

describe('a model that was no better than guessing', () => {
  const caution = cautionOf({ auc: 0.476 })!;
  const both = (trained: TrainedMarket) =>
    (['compact', 'full'] as const).map((view) =>
      asRead<{ notice: string; caution?: string }>(screen({}, { view }, trained).result),
    );

  test('says so first in the notice of both views, and in a member of the compact view', () => {
    const [short, long] = both({ ...market, caution });
    expect(short!.notice.startsWith(`${caution.in.id} Peluang`)).toBe(true);
    expect(short!.caution).toBe(caution.in.id);
    expect(long!.notice).toBe(short!.notice);
  });

  test('does so only if it was', () => {
    expect(cautionOf({ auc: 0.52 })).toBeUndefined();
    for (const result of both(market)) {
      expect(result.notice).toMatch(/^Peluang/);
      expect(result).not.toHaveProperty('caution');
    }
  });
});

/** The number of signals that model D counts by default for each name with any, before the seller filter. */
async function signalsByModelD(floors: object, analysis_date: string): Promise<Map<string, number>> {
  const params = { ...defaultsOf(ofModelD), seller_filter: false, max_picks: 50, ...floors, analysis_date };
  const { result } = await modelD.run(screenInput({ panel, params }));
  const rows = result['df_result'] as { Ticker: string; Signals: number }[];
  return new Map(rows.map((row) => [row.Ticker, row.Signals]));
}

describe('signals', () => {
  test('match the counts of model D with its defaults', async () => {
    const floors = { min_signals: 1, min_price: 100, min_daily_val: 1e8 };
    const counts = await signalsByModelD(floors, '2026-09-30');
    const { picks } = compact({ ...floors, min_probability: 30, max_picks: 20 });
    expect(picks.length).toBe(20);
    for (const { ticker, signals } of picks) expect(signals).toBe(counts.get(ticker) ?? 0);
  });
});

describe('Intersection', () => {
  const wide = { strategy: 'Intersection', min_probability: 30, max_picks: 20 } as const;

  test('picks only among the likeliest names, twice as many as max_picks', () => {
    const likeliest = market.stocks
      .toSorted((a, b) => b.chance - a.chance || (a.code < b.code ? -1 : 1))
      .slice(0, 6)
      .map(({ code }) => code);
    const picked = tickers({ ...wide, max_picks: 3 });
    expect(picked.length).toBeGreaterThan(0);
    for (const ticker of picked) expect(likeliest).toContain(ticker);
  });

  test('drops names that sellers dominate in the broker rows, unlike Gated', () => {
    const before = tickers(wide);
    const [sold] = before;
    const dates = panel.columns.dates.slice(-5);
    const rows: FlowRowFixture[] = dates.flatMap((date) => [
      { ticker: sold!, date, broker: 'AK', sell_value: 9e9 },
      { ticker: sold!, date, broker: 'XL', buy_value: 1e9 },
    ]);
    const brokerFlow = brokerFlowOf(panel, rows);
    expect(tickers(wide, { brokerFlow })).not.toContain(sold);
    expect(tickers({ ...wide, strategy: 'Gated' }, { brokerFlow })).toEqual(
      tickers({ ...wide, strategy: 'Gated' }),
    );
  });

  test('and Compare All request only the broker rows of the days they use, the others none', () => {
    const span = (strategy: CombinedParams['strategy']) =>
      model.brokerSpan!(panel, { ...DEFAULTS, strategy }, '2026-09-30');
    for (const strategy of EVERY_STRATEGY) {
      const isRead = strategy === 'Intersection' || strategy === 'Compare All';
      expect(span(strategy)).toEqual(isRead ? { firstDay: LAST_DAY - 4, lastDay: LAST_DAY } : undefined);
    }
  });
});

describe('every parameter has an effect', () => {
  test('the floors of probability and signals narrow the list, each at its own step', () => {
    const wide = compact({ min_probability: 30 }).funnel;
    expect(compact({ min_probability: 60 }).funnel.after_probability).toBeLessThan(wide.after_probability);
    for (const strategy of ['Gated', 'Hybrid Score', 'Intersection'] as const) {
      const few = compact({ strategy, min_probability: 30, min_signals: 3 }).funnel;
      expect(few.after_signals).toBeLessThan(few.after_probability);
    }
  });

  test('Inverse Signal picks names without signals, and min_signals sets where its discount begins', () => {
    const all = { min_probability: 30, max_picks: 20 };
    expect(compact(all).picks.some(({ signals }) => signals === 0)).toBe(true);
    const { funnel } = compact({ ...all, min_signals: 4 });
    expect(funnel.after_signals).toBe(funnel.after_probability);
    const scoreOf = (min_signals: number) =>
      new Map(full({ ...all, min_signals }).df_result.map((row) => [row['Ticker'], row]));
    const [early, late] = [scoreOf(1), scoreOf(3)];
    for (const [ticker, row] of early) {
      const other = late.get(ticker);
      if (other && [1, 2].includes(row['Signals'])) expect(row['Score']).toBeLessThan(other['Score']);
      else if (other) expect(row['Score']).toBe(other['Score']);
    }
  });

  test('every strategy gives a different order', () => {
    const orders = EVERY_STRATEGY.map((strategy) =>
      tickers({ strategy, min_probability: 40, signal_penalty: 0.5 }).join(),
    );
    expect(new Set(orders).size).toBe(EVERY_STRATEGY.length);
  });

  test('prob_weight changes the order of all but Gated, which ranks by probability alone', () => {
    for (const strategy of EVERY_STRATEGY) {
      const [light, heavy] = [0.3, 0.8].map((prob_weight) =>
        tickers({ strategy, prob_weight, min_probability: 40, max_picks: 20 }),
      );
      if (strategy === 'Gated') expect(light).toEqual(heavy);
      else expect(light).not.toEqual(heavy);
    }
  });

  test('signal_penalty changes Inverse Signal and Compare All, which runs it, but no other strategy', () => {
    for (const strategy of EVERY_STRATEGY) {
      const [none, high] = [0, 0.5].map((signal_penalty) =>
        JSON.stringify(screen({ strategy, signal_penalty, min_probability: 40 })),
      );
      if (['Inverse Signal', 'Compare All'].includes(strategy)) expect(none).not.toBe(high);
      else expect(none).toBe(high);
    }
  });
});

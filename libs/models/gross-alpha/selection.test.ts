import { asRead, type ReadOf } from '../fixtures/read-result-fixture.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { StockFlow } from '#quant/broker-features/stock-flow.ts';
import { trainedMarketOf } from '../trained/trained-market-fixture.ts';
import type { PastForecast } from '../trained/trained-market.ts';
import type { ScreenInput } from '../model/screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { FLOW_FEATURES, SHORT_FEATURES } from '#quant/broker-features/gross-features.ts';
import { expectOrderIsExplained } from '../picks/pick-row-fixture.ts';
import type { results } from './result.ts';
import { grossAlphaResult } from './screen.ts';
import { brokerMarket, DEFAULTS, panelAndDays, withTrades } from './gross-fixture.ts';
import type { GrossAlphaParams } from './params.ts';

/** Results of model C on a market with given probabilities. */

type Result = ReadOf<typeof results.full>;

const COVERAGE = { window_pct: 100, training_pct: 99.5 };
const { panel, brokerDays } = panelAndDays(brokerMarket({ seed: 9, tickers: 60, days: 200, pull: 0 }));
const DAY = panel.dayCount - 1;
const GROSS_NAMES = [...SHORT_FEATURES, ...FLOW_FEATURES].map(({ name }) => name);
const settings = { days: DEFAULTS.flow_window, group: DEFAULTS.broker_group };

let input: (params: GrossAlphaParams) => ScreenInput<GrossAlphaParams>;
let codes: string[];
let led: string[];
beforeAll(() => {
  input = (params) =>
    screenInput({
      panel,
      brokerDays,
      params: { ...params },
      dataset: { version: 'v1', kind: 'real', broker_data: 'synthetic' },
    });
  const table = input(DEFAULTS).features();
  codes = trainedMarketOf(table, DAY, () => 50).stocks.map(({ code }) => code);
  const flow = new StockFlow(brokerDays, settings);
  led = codes.filter((code) => flow.figures(panel.tickerIndex(code), DAY).isRetailLed);
});

/** By default the probability of a name rises with its place in the list. */
function screen(
  change: Partial<GrossAlphaParams> = {},
  probabilityPctOf = (code: string) => 40 + codes.indexOf(code) / 2,
  past: PastForecast[] = [],
): Result {
  const given = input({ ...DEFAULTS, ...change });
  const market = trainedMarketOf(given.features(), DAY, probabilityPctOf, past, GROSS_NAMES);
  return asRead(grossAlphaResult(given, withTrades(market, brokerDays, given, COVERAGE)).result);
}

const tickers = ({ df_result }: Result) => df_result.map((row) => row['Ticker']);

describe('picks', () => {
  test('exclude retail-led names only when exclude_retail_led is set', () => {
    expect(led.length).toBeGreaterThan(3);
    const [all, without] = [screen(), screen({ exclude_retail_led: true })];
    expect(all.diag.after_retail_filter).toBe(all.diag.after_probability);
    expect(without.diag.after_probability - without.diag.after_retail_filter).toBe(led.length);
    const likely = (code: string) => (led.includes(code) ? 90 : 40);
    expect(tickers(screen({ max_picks: 3 }, likely)).every((code) => led.includes(code))).toBe(true);
    const picked = tickers(screen({ max_picks: 20, exclude_retail_led: true }, likely));
    expect(picked.some((code) => led.includes(code))).toBe(false);
  });

  test('with equal chances are ranked by what the chosen group bought over the chosen window', () => {
    const alike = (change: Partial<GrossAlphaParams>) =>
      tickers(screen({ max_picks: 5, ...change }, () => 60));
    const lists = [
      ...(['all', 'foreign', 'bandar', 'ex_retail'] as const).map((broker_group) => alike({ broker_group })),
      alike({ flow_window: 30 }),
    ].map(String);
    expect(new Set(lists).size).toBe(lists.length);
    const score = (row: Record<string, unknown>) => row['Score'] as number;
    const rows = screen({ max_picks: 20 }, () => 60).df_result;
    expectOrderIsExplained(rows, 'Group');
    const scores = rows.map(score);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0.7 * 60);
    expect(Math.max(...scores)).toBeLessThanOrEqual(0.7 * 60 + 30);
  });
});

test('a row has the figures of the chosen window', () => {
  const [row] = screen().df_result;
  const figures = new StockFlow(brokerDays, settings).figures(panel.tickerIndex(row!['Ticker']), DAY);
  expect(row!['CR5 Buy']).toBeCloseTo(figures.top5Buy!, 3);
  expect(row!['Retail Share']).toBe(`${(100 * figures.retailShare!).toFixed(1)}%`);
  expect(row!['Top Buyer']).toBe(figures.topBuyer);
  expect(row!['Avg Cost Gap']).toMatch(/^[+-]\d+\.\d\d%$/);
  const longer = screen({ flow_window: 30 }).df_result.find(({ Ticker }) => Ticker === row!['Ticker']);
  if (longer) expect(longer['CR5 Buy']).not.toBe(row!['CR5 Buy']);
});

test('the result reports the broker coverage and synthetic rows', () => {
  expect(screen().diag).toMatchObject({
    broker_group: 'all',
    broker_coverage: COVERAGE,
    broker_data: 'synthetic',
  });
});

describe('without picks', () => {
  test('the message says that likely names are not driven by retail buying', () => {
    const result = screen({ min_probability: 80, exclude_retail_led: true });
    expect(result.empty!.message).toMatch(
      /^Tidak ada saham yang memenuhi semua kriteria pada .+ tidak sedang didorong/,
    );
  });

  test('a looser retail filter is suggested when only retail-led names are likely', () => {
    const probability = (code: string) => (led.includes(code) ? 75 : 40);
    const result = screen({ min_probability: 70, exclude_retail_led: true }, probability);
    expect(result.empty!.suggestions.map(({ label }) => label)).toContain(
      'Saringan kenaikan yang didorong ritel',
    );
  });
});

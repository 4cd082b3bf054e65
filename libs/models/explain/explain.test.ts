import { beforeAll, describe, expect, test } from 'vitest';
import { StockFlow } from '#quant/broker-features/stock-flow.ts';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { MarketSwings } from '#quant/gann/swings.ts';
import { combinedRules, signalsOf } from '../combined/selection.ts';
import { outsiders } from '#quant/universe/candidates.ts';
import { DEFAULTS as ofF, EVERY_STRATEGY } from '../combined/combined-fixture.ts';
import { panel, table } from '../fixtures/given-probabilities-fixture.ts';
import { params as declaredByF } from '../combined/params.ts';
import { type ConfluenceParams, params as declaredByD } from '../confluence-filter/params.ts';
import { ConfluenceMarket } from '../confluence-filter/selection.ts';
import { type NameTrace } from '../picks/funnel.ts';
import type { GannDay } from '../gann-classic/day.ts';
import { type GannParams, params as declaredByB } from '../gann-classic/params.ts';
import { gannRules } from '../gann-classic/selection.ts';
import { brokerMarket, DEFAULTS as ofC, panelAndDays } from '../gross-alpha/gross-fixture.ts';
import { grossRules } from '../gross-alpha/selection.ts';
import { anyProbability, learntMarketOf } from '../learnt/learnt-market-fixture.ts';
import type { LearntMarket } from '../learnt/learnt-market.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { Localised } from '#foundation/text/localised.ts';
import { params as declaredByA, type RegimeAdaptiveParams } from '../regime-adaptive/params.ts';
import { regimeUsed, rulesIn } from '../regime-adaptive/selection.ts';
import { Selection } from '../picks/selection.ts';
import { screen as screenOfF } from '../combined/screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { ContributionLines } from '../reasons/schema.ts';
import { explainName, whyOutside } from './explain-name.ts';
import {
  packExplanation,
  runExplanation,
  type RunExplanation,
  unpackExplanation,
} from '../picks/run-explanation.ts';
import { stockScores } from './stock-scores.ts';

/** The universe of a day as a model narrows it down. */
interface Narrowed {
  traces: () => NameTrace[];
  funnel: Record<string, number>;
}

const DAYS = 20;
const LAST_DAY = panel.dayCount - 1;
const days = Array.from({ length: DAYS }, (_, i) => LAST_DAY - 9 * i);
const LOW = { min_daily_val: 2_000_000_000 };

/** Names and probabilities of a day, as in a run: names that closed at their upper limit are not in the universe. */
function marketOf(of: typeof table, day: number, candidates: ReadonlySet<number>): LearntMarket {
  const market = learntMarketOf(of, day, (code) => anyProbability(code, day));
  return { ...market, stocks: market.stocks.filter(({ ticker }) => candidates.has(ticker)) };
}

const noRows = brokerFlowOf(panel, []);
const confluenceOf = new Map(days.map((day) => [day, new ConfluenceMarket(panel, noRows, day)]));
const candidatesOf = (day: number) => {
  const { lists } = confluenceOf.get(day)!.select({ ...defaultsOf(declaredByD), min_daily_val: 0 });
  return new Set(lists[0]!.map(({ ticker }) => ticker));
};

/** For each model: how it narrows down a day, and several sets of parameters to try. */
const CASES: {
  name: string;
  steps: string[];
  variants: Record<string, unknown>[];
  on: (day: number) => (params: Record<string, unknown>) => Narrowed;
  days?: number[];
}[] = [
  {
    name: 'model A',
    steps: ['total_scanned', 'total_liquid', 'after_regime', 'after_probability', 'final'],
    variants: ['auto', 'bull', 'sideways', 'bear'].map((regime) => ({
      ...defaultsOf(declaredByA),
      ...LOW,
      regime,
      min_probability: 50,
      max_picks: 3,
    })),
    on: (day) => {
      const market = marketOf(table, day, candidatesOf(day));
      const history = screenInput({ panel, params: {} }).regime();
      return (given) => {
        const params = given as RegimeAdaptiveParams;
        const regime = regimeUsed(params.regime, history.regime[day]!);
        return new Selection(market.stocks, params, (tried) => rulesIn(regime, table, tried));
      };
    },
  },
  {
    name: 'model B',
    steps: ['total_scanned', 'total_liquid', 'after_cycle', 'after_probability', 'final'],
    variants: [
      { ...defaultsOf(declaredByB), ...LOW, min_cycle_score: 25, min_probability: 50, max_picks: 3 },
    ],
    on: (day) => {
      const swings = new MarketSwings(panel, day, 5);
      const { stocks }: Pick<GannDay, 'stocks'> = marketOf(table, day, candidatesOf(day));
      return (params) => new Selection(stocks, params as GannParams, (tried) => gannRules(swings, tried));
    },
  },
  {
    name: 'model D',
    steps: ['total_scanned', 'total_liquid', 'total_hits', 'after_seller_filter', 'final'],
    variants: [1, 2].map((min_signals) => ({
      ...defaultsOf(declaredByD),
      ...LOW,
      min_signals,
      seller_dominance: 1,
      max_picks: 3,
    })),
    on: (day) => (params) => confluenceOf.get(day)!.select(params as ConfluenceParams),
  },
  {
    name: 'model F',
    steps: ['total_scanned', 'total_liquid', 'after_probability', 'after_signals', 'final'],
    variants: EVERY_STRATEGY.map((strategy) => ({ ...ofF, ...LOW, strategy, max_picks: 4 })),
    on: (day) => {
      const { stocks } = marketOf(table, day, candidatesOf(day));
      const signals = signalsOf(confluenceOf.get(day)!);
      return (params) =>
        new Selection(stocks, params as typeof ofF, (tried) => combinedRules(signals, tried));
    },
  },
];

const gross = panelAndDays(brokerMarket({ seed: 9, tickers: 60, days: 260, pull: 0 }));
const grossInput = screenInput({ panel: gross.panel, params: {}, brokerDays: gross.brokerDays });
CASES.push({
  name: 'model C',
  steps: ['total_scanned', 'total_liquid', 'after_probability', 'after_retail_filter', 'final'],
  variants: [{ ...ofC, exclude_retail_led: true, min_probability: 50, max_picks: 3, min_price: 4_000 }],
  days: Array.from({ length: DAYS }, (_, i) => gross.panel.dayCount - 1 - 5 * i),
  on: (day) => {
    const flow = new StockFlow(gross.brokerDays, { days: 10, group: 'all' });
    const market = learntMarketOf(grossInput.features(), day, (code) => anyProbability(code, day));
    const groupPlaces = new Map(market.stocks.map(({ row }, i) => [row, i % 100]));
    const led = market.stocks.filter(({ ticker }) => flow.figures(ticker, day).isRetailLed);
    const retailLed = new Set(led.map(({ row }) => row));
    const rules = grossRules({ groupPlaces, retailLed });
    return (params) => new Selection(market.stocks, params as typeof ofC, () => rules);
  },
});

describe.each(CASES)('$name', ({ steps, variants, on, days: ofModel = days }) => {
  const reached = ({ fell }: NameTrace) => (fell === null ? steps.length : steps.indexOf(fell.step));

  test('gives each name of 20 days the one step at which it fell, in line with the funnel', () => {
    const fellAt = new Set<string>();
    for (const day of ofModel) {
      const narrow = on(day);
      for (const params of variants) {
        const selection = narrow(params);
        const [traces, { funnel }] = [selection.traces(), selection];
        expect(new Set(traces.map(({ ticker }) => ticker)).size).toBe(traces.length);
        for (const [i, step] of steps.entries())
          expect(
            traces.filter((trace) => reached(trace) > i),
            step,
          ).toHaveLength(funnel[step]!);
        for (const { fell } of traces) {
          if (!fell) continue;
          fellAt.add(fell.step);
          expect(steps).toContain(fell.step);
          expect(fell.shortfalls.length).toBeGreaterThan(0);
          for (const { value, threshold } of fell.shortfalls)
            if (value !== null && threshold !== null) expect(value).not.toBe(threshold);
        }
      }
    }
    expect(fellAt).toEqual(new Set(steps.slice(1)));
  });

  test('suggests changes that bring each fallen name at least one step further', () => {
    for (const day of ofModel) {
      const narrow = on(day);
      for (const params of variants) {
        for (const trace of narrow(params).traces()) {
          if (!trace.fell) continue;
          const changes = Object.assign({}, ...trace.fell.shortfalls.map((each) => each.changes)) as object;
          const after = narrow({ ...params, ...changes })
            .traces()
            .find(({ ticker }) => ticker === trace.ticker);
          expect(
            reached(after!),
            `${trace.ticker} ${JSON.stringify(trace.fell)} ${JSON.stringify(after!.fell)}`,
          ).toBeGreaterThan(reached(trace));
        }
      }
    }
  }, 120_000);
});

describe('an explanation', () => {
  let explanation: RunExplanation;
  let result: Record<string, unknown>;
  const notice = new Localised('Ini.', 'This.');
  const params = { ...ofF, min_probability: 45, min_signals: 1, max_picks: 5 };
  beforeAll(async () => {
    const output = await screenOfF.run(screenInput({ panel, params }));
    result = output.result;
    explanation = unpackExplanation(packExplanation(output.explanation!));
  });
  const explained = (ticker: string, language: 'id' | 'en' = 'id') =>
    explainName(explanation, ticker, { language, params: declaredByF, datasetVersion: 'v1' });

  test('of a pick has the contributions and the reasons of the result', () => {
    const rows = result['df_result'] as { Ticker: string; reasons: Localised[]; contributions: object }[];
    expect(rows.length).toBeGreaterThan(0);
    for (const [i, row] of rows.entries()) {
      for (const language of ['id', 'en'] as const) {
        expect(explained(row.Ticker, language)).toMatchObject({
          model_id: 'model_f_combined',
          ticker: row.Ticker,
          picked: true,
          place: i + 1,
          fell_at: null,
          shortfalls: [],
          contributions: row.contributions,
          reasons: row.reasons.map((reason) => reason.in[language]),
          notice: (result['notice'] as Localised).in[language],
        });
      }
    }
  });

  test('of any other name says where it fell and also has its contributions', () => {
    for (const { ticker, fell } of explanation.names) {
      if (!fell) continue;
      const found = explained(ticker, 'en')!;
      expect(found).toMatchObject({ picked: false, fell_at: fell.step });
      expect(found.steps.at(-1)).toEqual({ name: fell.step, passed: false });
      expect(found.steps.slice(0, -1).every(({ passed }) => passed)).toBe(true);
      expect(found.message).toContain(fell.step);
      const { features, base_value, calibration, log_odds } = found.contributions as ContributionLines;
      const sum = features.reduce((total, line) => total + line.log_odds, base_value + calibration!);
      expect(Math.abs(sum - log_odds!)).toBeLessThan(1e-9);
      expect(found.reasons).toHaveLength(5);
    }
  });

  test('is what the scores of the run say of every name', () => {
    const scores = stockScores(explanation);
    expect(scores.map(({ ticker }) => ticker)).toEqual(explanation.names.map(({ ticker }) => ticker));
    for (const { ticker, probability, rank, picked } of scores) {
      const { place, contributions, ...found } = explained(ticker)!;
      expect([picked, rank ?? null]).toEqual([found.picked, place]);
      expect((contributions as ContributionLines).probability).toBe(probability);
    }
    const { model: _, ...unlearnt } = explanation;
    expect(stockScores(unlearnt).every(({ probability }) => probability === undefined)).toBe(true);
  });

  test('says whether a run allows each suggested change', () => {
    const fell = {
      step: 'total_liquid',
      shortfalls: [
        { param: 'min_price', value: 60, threshold: 500, changes: { min_price: 60 } },
        { param: 'min_daily_val', value: 2e8, threshold: 1e10, changes: { min_daily_val: 2e8 } },
      ],
    };
    const one = runExplanation({
      modelId: 'model_f_combined',
      asOf: '2026-09-30',
      steps: [{ name: 'total_liquid' }],
      notice,
      names: [{ ticker: 'AAAA', fell, place: null }],
      unbuyable: [],
      outside: outsiders(panel, LAST_DAY),
    });
    const { shortfalls, message, contributions } = explainName(one, 'AAAA', {
      language: 'id',
      params: declaredByF,
      datasetVersion: 'v1',
    })!;
    expect(shortfalls.map(({ allowed }) => allowed)).toEqual([false, true]);
    expect(message).toBe(
      'AAAA tidak melewati langkah total_liquid: min_price meminta 500, nilainya 60; min_daily_val meminta ' +
        '10.000.000.000, nilainya 200.000.000.',
    );
    expect(contributions).toBeNull();
  });

  test('does not exist for a name outside the universe, which gets a reason instead', () => {
    expect(explained('ZZZZ')).toBeUndefined();
    expect(whyOutside(explanation, 'ZZZZ')).toBe(
      `The data of this run, up to ${explanation.asOf}, does not have ZZZZ.`,
    );
    const outside = {
      untraded: ['A'],
      short_history: ['B'],
      rarely_traded: ['C'],
      special_board: ['D'],
      too_small: ['E'],
    };
    const causes = ['A', 'B', 'C', 'D', 'E'].map((ticker) => whyOutside({ ...explanation, outside }, ticker));
    expect(causes).toEqual([
      expect.stringMatching(/^A is not in the universe of this run of .*: it did not trade on that day\.$/),
      expect.stringMatching(/: it has traded on fewer than 120 days\.$/),
      expect.stringMatching(/: it traded on fewer than 18 of the last 20 days\.$/),
      expect.stringMatching(/: it trades like a stock of a special board\.$/),
      expect.stringMatching(/: less than Rp100 million of it is traded a day\.$/),
    ]);
    const isUnknown = (ticker: string) => whyOutside(explanation, ticker).includes('does not have');
    const unexplained = panel.columns.tickers.filter((ticker) => !explained(ticker));
    expect(unexplained.filter(isUnknown)).toEqual([]);
    expect(whyOutside({ ...explanation, unbuyable: ['ZZZZ'] }, 'ZZZZ')).toContain('upper limit');
    expect(whyOutside({ ...explanation, positions: [] }, 'ZZZZ')).toContain('positions');
  });

  test('is packed in less than 256 KiB', () => {
    expect(packExplanation(explanation).length).toBeLessThan(256 * 1024);
  });
});

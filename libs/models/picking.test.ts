import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CYCLE_FEATURES } from '#quant/gann/cycle-features.ts';
import { modelQuality } from '#quant/learning/validation/model-quality.ts';
import { closedAtUpperLimit } from '#quant/universe/candidates.ts';
import { anyParams as anyParamsOfF } from './combined/combined-fixture.ts';
import { ID as F, params as ofF, type CombinedParams } from './combined/params.ts';
import { combinedResult } from './combined/screen.ts';
import { ID as D, params as ofD, type ConfluenceParams } from './confluence-filter/params.ts';
import { screen as screenOfD } from './confluence-filter/screen.ts';
import {
  forecastsOf,
  history,
  LAST_DAY,
  marketOn,
  panel,
  pastDays,
  table,
} from './fixtures/given-probabilities-fixture.ts';
import { asRead, followed, promised, type ReadSuggestion } from './fixtures/read-result-fixture.ts';
import { screenInput } from './fixtures/screen-input-fixture.ts';
import { ID as B, params as ofB, type GannParams } from './gann-classic/params.ts';
import { gannResultOn } from './gann-classic/gann-fixture.ts';
import { screen as screenOfB } from './gann-classic/screen.ts';
import { brokerMarket, DEFAULTS as ofC, grossResultOn, panelAndDays } from './gross-alpha/gross-fixture.ts';
import { ID as C, type GrossAlphaParams } from './gross-alpha/params.ts';
import { defaultsOf } from './inputs/parameters.ts';
import type { PastForecast } from './trained/trained-market.ts';
import type { ScreenOutput } from './model/screen.ts';
import type { NameTrace } from './picks/funnel.ts';
import { MODELS } from './registry.ts';
import { ID as A, params as ofA, type RegimeAdaptiveParams } from './regime-adaptive/params.ts';
import { regimeAdaptiveResult } from './regime-adaptive/screen.ts';

/** What every model that picks promises of its picks, whatever its parameters, on given probabilities. */

type Params = Record<string, unknown> & { max_picks: number; min_price: number; min_daily_val: number };

interface Case {
  id: string;
  /** Any values of the parameters that filters and ranking use. The others have their defaults. */
  any: fc.Arbitrary<object>;
  defaults: object;
  /** Parameters with which it seldom has picks. */
  strict: object;
  run: (params: never, day: number) => ScreenOutput | Promise<ScreenOutput>;
  /** The market of its runs. */
  market?: { table: typeof table; lastDay: number };
  /** The past forecasts by which its quality is measured. */
  past?: readonly PastForecast[];
  /** A step that no name fails. */
  passedByAll?: string;
  /** Whether the names that are ranked depend on `max_picks`. */
  isOfList?: (params: Params) => boolean;
}

const floors = {
  min_price: fc.constantFrom(100, 200, 1_000, 5_000),
  min_daily_val: fc.constantFrom(1e8, 1e9, 1e10, 1e11),
  max_picks: fc.integer({ min: 1, max: 20 }),
};
const levels = {
  target_gain: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
  stop_loss: fc.double({ min: 0.02, max: 0.15, noNaN: true }),
};
const min_probability = fc.integer({ min: 60, max: 200 }).map((halves) => halves / 2);
const cycles = {
  ...{ ...floors, ...levels },
  pivot_window: fc.integer({ min: 5, max: 30 }),
  cycle_tolerance: fc.nat(5),
  price_tolerance_pct: fc.double({ min: 0.5, max: 5, noNaN: true }),
  min_cycle_score: fc.integer({ min: 0, max: 100 }),
};

const outcomeOf = (_code: string, _day: number, _probability: number, i: number) =>
  i % 3 === 0 ? 0.07 : -0.06;
const past = pastDays(20, outcomeOf);
const gross = panelAndDays(brokerMarket({ seed: 9, tickers: 60, days: 200, pull: 0 }));
const grossTable = screenInput({ ...gross, params: {} }).features();
const grossPast = [155, 160, 165].flatMap((day) => forecastsOf(grossTable, day, outcomeOf));

const CASES: Case[] = [
  {
    id: A,
    any: fc.record({
      ...{ ...floors, ...levels, min_probability },
      regime: fc.constantFrom('auto', 'bull', 'sideways', 'bear'),
    }),
    defaults: defaultsOf(ofA),
    strict: { min_probability: 95 },
    run: (params: RegimeAdaptiveParams, day) =>
      regimeAdaptiveResult(screenInput({ panel, params }), marketOn(day, past)),
    past,
  },
  {
    id: B,
    any: fc.record({ ...cycles, min_probability }),
    defaults: defaultsOf(ofB),
    strict: { min_probability: 95 },
    run: (params: GannParams, day) =>
      gannResultOn(panel, marketOn(day, past, undefined, CYCLE_FEATURES), params),
    past,
  },
  {
    id: `${B} without learning`,
    any: fc.record({ ...cycles, cycles: fc.array(fc.integer({ min: 1, max: 720 }), { maxLength: 6 }) }),
    defaults: { ...defaultsOf(ofB), use_ml: false },
    strict: { min_cycle_score: 85, cycle_tolerance: 0, price_tolerance_pct: 0.5 },
    passedByAll: 'after_probability',
    run: (params: GannParams, day) =>
      screenOfB.run(screenInput({ panel, params, analysisDate: panel.columns.dates[day]! })),
  },
  {
    id: C,
    any: fc.record({ ...floors, ...levels, min_probability, exclude_retail_led: fc.boolean() }),
    defaults: ofC,
    strict: { min_probability: 95 },
    run: (params: GrossAlphaParams, day) => grossResultOn(gross, params, day, grossPast),
    past: grossPast,
    market: { table: grossTable, lastDay: gross.panel.dayCount - 1 },
  },
  {
    id: D,
    any: fc.record({
      ...floors,
      lookback: fc.integer({ min: 1, max: 10 }),
      min_signals: fc.integer({ min: 1, max: 4 }),
      vol_ratio_min: fc.double({ min: 1, max: 5, noNaN: true }),
      seller_filter: fc.boolean(),
      seller_lookback: fc.integer({ min: 1, max: 20 }),
      seller_dominance: fc.double({ min: 1, max: 5, noNaN: true }),
    }),
    defaults: defaultsOf(ofD),
    strict: { min_signals: 4, min_daily_val: 1e9, vol_ratio_min: 3 },
    run: (params: ConfluenceParams, day) =>
      screenOfD.run(screenInput({ panel, params, analysisDate: panel.columns.dates[day]! })),
  },
  {
    id: F,
    any: anyParamsOfF,
    defaults: defaultsOf(ofF),
    strict: { min_probability: 90 },
    run: (params: CombinedParams, day) => combinedResult(screenInput({ panel, params }), marketOn(day, past)),
    past,
    isOfList: ({ strategy }) => strategy === 'Intersection' || strategy === 'Compare All',
  },
];

test('every model that picks is tried here', () => {
  const tried = CASES.map(({ id }) => id.split(' ')[0]!);
  expect(new Set(tried)).toEqual(new Set(MODELS.filter(({ picks }) => picks).map(({ id }) => id)));
});

interface Result {
  pick_count: number;
  df_result: Record<string, unknown>[];
  diag: Record<string, number>;
  effective_params?: { max_picks: number };
  model_quality: object;
  empty?: {
    reason: string;
    message: string;
    funnel: object;
    suggestions: ReadSuggestion[];
    changes: object;
  };
}

/** How the fields that learning models share are written. */
const text = (format: RegExp) => expect.stringMatching(format) as string;
const WRITTEN = {
  'Last Close': text(/^\d{1,3}(,\d{3})*$/),
  'Daily Val': text(/^\d+\.\d[MBT]$/),
  'Ret 20D': text(/^[+-]\d+\.\d\d%$/),
  'Foreign Net 5D': text(/^-?\d+\.\d[KMBT]?$/),
};

/** How many steps a name of an explanation reached. */
const reachedBy = ({ fell }: NameTrace, steps: readonly string[]) =>
  fell === null ? steps.length : steps.indexOf(fell.step);

const FEW = { numRuns: 25 };
const exact = (close: number, factor: number) => Number((close * factor).toPrecision(12));

describe.each(CASES)('$id, for any parameters,', (tried) => {
  const { any, defaults, strict, run, passedByAll, isOfList, market } = tried;
  const of = market ?? { table, lastDay: LAST_DAY };
  const anyDay = fc.integer({ min: of.lastDay - 40, max: of.lastDay });
  const runOf = async (params: object, day: number) => {
    const output = await run({ ...defaults, ...params } as never, day);
    const result = asRead<Result>(output.result);
    const steps = output.explanation!.steps;
    const counts = steps.map((step) => result.diag[step]!);
    const most = result.effective_params?.max_picks ?? (params as Params).max_picks;
    return { ...output, result, counts, most, passing: counts.at(-2)! };
  };
  const forAny = (check: (params: Params, day: number) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(any, anyDay, (params, day) => check(params as Params, day)),
      FEW,
    );

  test('each step keeps at most as many stocks as the one before, and the first of the last are picked', () =>
    forAny(async (params, day) => {
      const { result, counts, most, passing, summary } = await runOf(params, day);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      expect(most).toBeLessThanOrEqual(params.max_picks);
      if (isOfList?.(params)) expect(result.diag['final']).toBeLessThanOrEqual(most);
      else expect(result.diag['final']).toBe(Math.min(passing, most));
      expect(result.df_result).toHaveLength(result.diag['final']!);
      expect([result.pick_count, summary.pick_count]).toEqual([result.diag['final'], result.diag['final']]);
    }));

  test('the explanation gives each name the one step at which it fell, in line with the funnel', async () => {
    const [fellAt, steps] = [new Set<string>(), new Set<string>()];
    const low = { min_price: 100, min_daily_val: 1e8 };
    const thatReachEveryStep = fc.constantFrom(
      { ...low, min_signals: 1, seller_filter: true, seller_dominance: 1 },
      { ...low, min_price: 5_000 },
      { ...low, min_daily_val: 1e10 },
    );
    const check = async (params: object, changes: object, day: number) => {
      const { explanation, counts } = await runOf({ ...params, ...changes }, day);
      const { names } = explanation!;
      expect(new Set(names.map(({ ticker }) => ticker)).size).toBe(names.length);
      for (const [i, step] of explanation!.steps.entries()) {
        const passed = names.filter((name) => reachedBy(name, explanation!.steps) > i);
        expect(passed, step).toHaveLength(counts[i]!);
        if (i > 0 && step !== passedByAll) steps.add(step);
      }
      for (const { fell } of names) {
        if (!fell) continue;
        fellAt.add(fell.step);
        expect(fell.shortfalls.length).toBeGreaterThan(0);
        for (const { value, threshold } of fell.shortfalls)
          if (value !== null && threshold !== null) expect(value).not.toBe(threshold);
      }
    };
    await fc.assert(fc.asyncProperty(any, thatReachEveryStep, anyDay, check), FEW);
    expect(fellAt).toEqual(steps);
  });

  test('the explanation suggests changes that bring a name at least one step further than it fell', () =>
    fc.assert(
      fc.asyncProperty(any, anyDay, fc.nat(), async (params, day, drawn) => {
        const { names, steps, unbuyable } = (await runOf(params, day)).explanation!;
        const fallen = names.filter(({ fell, ticker }) => fell && !unbuyable.includes(ticker));
        for (const ofStep of Map.groupBy(fallen, ({ fell }) => fell!.step).values()) {
          const name = ofStep[drawn % ofStep.length]!;
          const changes = Object.assign({}, ...name.fell!.shortfalls.map((each) => each.changes)) as object;
          const { explanation } = await runOf({ ...params, ...changes }, day);
          const after = explanation!.names.find(({ ticker }) => ticker === name.ticker)!;
          expect(reachedBy(after, steps), JSON.stringify([name, after])).toBeGreaterThan(
            reachedBy(name, steps),
          );
        }
      }),
      { numRuns: 10 },
    ));

  test('picks meet every floor, and are recorded with the levels and chances that the result shows', () =>
    forAny(async (params, day) => {
      const { result, record } = await runOf(params, day);
      const { barriers, floors, picks, regime } = record!;
      const { min_price, min_daily_val, min_probability = 0 } = params;
      expect(floors).toEqual({ min_price, min_daily_val });
      expect(regime).toBe(market ? regime : history.regime[day]);
      expect(result.df_result.map((row) => row['Ticker'])).toEqual(picks.map(({ ticker }) => ticker));
      for (const [i, pick] of picks.entries()) {
        const { ticker, close, stop, target, probability, win_chance_pct, base_rate_pct } = pick;
        const row = of.table.rowAt(of.table.panel.tickerIndex(ticker), day);
        expect(close).toBeGreaterThanOrEqual(min_price);
        expect(of.table.columns.averageValue[row]).toBeGreaterThanOrEqual(min_daily_val);
        if (probability !== null) expect(probability).toBeGreaterThanOrEqual(min_probability as number);
        expect([stop, target]).toEqual([
          exact(close, 1 - barriers.stop_loss),
          exact(close, 1 + barriers.target_gain),
        ]);
        const shown = result.df_result[i]!;
        if (!('Entry' in shown)) continue;
        expect(barriers).toEqual({ target_gain: params['target_gain'], stop_loss: params['stop_loss'] });
        const Probability = probability === null ? '-' : `${probability.toFixed(1)}%`;
        const chances = { Probability, win_chance_pct, base_rate_pct };
        expect(shown).toMatchObject({ Entry: close, Stop: stop, Target: target, ...chances, ...WRITTEN });
      }
    }));

  test('a stock that closed at its upper limit, where nobody sells, is not picked, and the explanation says so', async () => {
    const stocks = of.table.panel;
    const isAtLimit = (stock: number, day: number) =>
      of.table.rowAt(stock, day) >= 0 && closedAtUpperLimit(stocks, stock, stocks.rowAt(stock, day));
    const days = Array.from({ length: 41 }, (_, back) => {
      const day = of.lastDay - back;
      return { day, atLimit: stocks.columns.tickers.filter((_, stock) => isAtLimit(stock, day)) };
    }).filter(({ atLimit }) => atLimit.length > 0);
    // No stock of C's market moves as far. Its table leaves such stocks out as that of the others does (`trained/buyable.ts`).
    expect(days.length > 0).toBe(market === undefined);
    for (const { day, atLimit } of days) {
      const { explanation, result } = await runOf({ min_price: 100, min_daily_val: 1e8, max_picks: 20 }, day);
      expect(explanation!.unbuyable).toEqual(expect.arrayContaining(atLimit));
      const picked = result.df_result.map((row) => row['Ticker']);
      expect(atLimit.filter((name) => picked.includes(name))).toEqual([]);
    }
  });

  test('higher floors of price and value leave fewer liquid stocks of as many, and fewer picks leave the best', () =>
    forAny(async (params, day) => {
      const wide = await runOf({ ...params, min_price: 100, min_daily_val: 1e8, max_picks: 20 }, day);
      for (const change of [{ min_price: 5_000 }, { min_daily_val: 1e11 }]) {
        const { diag } = (await runOf({ ...params, min_price: 100, min_daily_val: 1e8, ...change }, day))
          .result;
        expect(diag['total_scanned']).toBe(wide.result.diag['total_scanned']);
        expect(diag['total_liquid']).toBeLessThan(wide.result.diag['total_liquid']!);
      }
      const few = await runOf({ ...params, min_price: 100, min_daily_val: 1e8, max_picks: 3 }, day);
      if (!isOfList?.(params)) expect(few.result.df_result).toEqual(wide.result.df_result.slice(0, few.most));
    }));

  test('the same run gives the same bytes', () =>
    forAny(async (params, day) => {
      const [first, again] = [await runOf(params, day), await runOf(params, day)];
      expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    }));

  test('a result without picks says why, and every suggestion lets through as many stocks as it promises', async () => {
    let followedSoFar = 0;
    await forAny(async (anything, day) => {
      const params = { ...anything, ...strict };
      const { result, counts } = await runOf(params, day);
      const { empty } = result;
      expect(empty !== undefined).toBe(result.pick_count === 0);
      if (!empty) return;
      expect(empty.reason).toBe('no_results');
      expect(empty.message).toMatch(
        /^Tidak ada saham yang memenuhi semua kriteria pada \d+ \S+ 2\d+\. Dari /,
      );
      expect(Object.values(empty.funnel)).toEqual(expect.arrayContaining(counts));
      if (empty.suggestions.length === 0) return;
      expect((await runOf({ ...params, ...empty.changes }, day)).result.pick_count).toBeGreaterThan(0);
      expect(empty.suggestions.every(({ current, suggested }) => current !== suggested)).toBe(true);
      const changes = empty.suggestions.map(followed);
      const together = empty.message.includes('sekaligus');
      for (const [i, change] of (together ? [Object.assign({}, ...changes) as object] : changes).entries()) {
        const after = await runOf({ ...params, ...change }, day);
        const count = promised(empty.suggestions[i]!);
        expect(count).toBeGreaterThan(0);
        expect(after.result.pick_count).toBe(Math.min(count, after.most));
        if (!isOfList?.({ ...params, ...change })) expect(after.passing).toBe(count);
        followedSoFar++;
      }
    });
    expect(followedSoFar).toBeGreaterThan(10);
  });
});

const MEASURED = CASES.flatMap(({ past, ...of }) => (past ? [{ ...of, past }] : []));

describe.each(MEASURED)('$id', ({ any, defaults, run, market, past }) => {
  test('has, for any parameters, the quality of what it would have picked on each past day', async () => {
    const resultOn = async (params: object, day: number) =>
      asRead<Result>((await run({ ...defaults, ...params } as never, day)).result);
    let pickedSoFar = 0;
    await fc.assert(
      fc.asyncProperty(any, fc.constantFrom(1e8, 1e10), async (others, min_daily_val) => {
        const params = { ...others, min_daily_val };
        const picked: PastForecast[] = [];
        for (const [day, ofDay] of Map.groupBy(past, (forecast) => forecast.day)) {
          const { df_result } = await resultOn(params, day);
          const codes = new Set(df_result.map((row) => row['Ticker']));
          picked.push(...ofDay.filter(({ code }) => codes.has(code)));
        }
        const { model_quality } = await resultOn(params, market?.lastDay ?? LAST_DAY);
        expect(model_quality).toEqual(modelQuality(picked));
        pickedSoFar += picked.length;
      }),
      { numRuns: 5 },
    );
    expect(pickedSoFar).toBeGreaterThan(20);
  });
});

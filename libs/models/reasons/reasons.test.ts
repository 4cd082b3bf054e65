import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FLOW_FEATURES, SHORT_FEATURES } from '#quant/broker-features/gross-features.ts';
import { MARKET_FEATURES, STOCK_FEATURES } from '#quant/features/feature-definitions.ts';
import { CYCLE_FEATURES } from '#quant/gann/cycle-features.ts';
import { logistic } from '#quant/learning/calibration/calibration.ts';
import { sumOf, TreeContributions } from '#quant/learning/contributions/tree-contributions.ts';
import { superiorityOver } from '#quant/learning/validation/superiority.ts';
import { rawScores } from '#quant/learning/tree-ensemble.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { params as ofF } from '../combined/params.ts';
import { screen as screenOfF } from '../combined/screen.ts';
import { params as ofB } from '../gann-classic/params.ts';
import { screen as screenOfB } from '../gann-classic/screen.ts';
import type { TrainedMarket } from '../trained/trained-market.ts';
import type { CachedModel } from '../trained/model-cache.ts';
import { featureMatrix } from '../trained/training.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { params as ofE } from '../recovery/params.ts';
import { VOLATILITY_WORDS } from './feature-words.ts';
import { screen as screenOfE } from '../recovery/screen.ts';
import { params as ofA } from '../regime-adaptive/params.ts';
import { screen as screenOfA } from '../regime-adaptive/screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { Screen } from '../model/screen.ts';
import { wordsOf } from './feature-words.ts';
import { Localised } from '#foundation/text/localised.ts';
import { localisedJson, withReplacements } from './localised-json.ts';
import { chanceToWin, notice, winRecord } from './notice.ts';
import { chanceReasons, reasonsOf } from './sentences.ts';
import type { ContributionLines, FeatureLine } from './schema.ts';

interface Row {
  Ticker: string;
  reasons: Localised[];
  contributions: ContributionLines;
  win_chance_pct: number;
  base_rate_pct: number;
  Probability: string;
}

/** A store of cached models, so that runs on the same market learn only once. */
function modelCacheOfTest() {
  const kept = new Map<string, CachedModel>();
  return {
    find: async <L extends CachedModel>(key: string) => kept.get(key) as L | undefined,
    keep: (key: string, cachedModel: CachedModel) => void kept.set(key, cachedModel),
  };
}

const LOW = { min_price: 100, min_daily_val: 100_000_000 };
const SCREENS: { screen: Screen; params: Record<string, unknown> }[] = [
  { screen: screenOfA, params: { ...defaultsOf(ofA), ...LOW, train_days: 250 } },
  { screen: screenOfB, params: { ...defaultsOf(ofB), ...LOW, min_cycle_score: 0 } },
  { screen: screenOfF, params: { ...defaultsOf(ofF), ...LOW, min_signals: 1 } },
];

function marketOf(seed: number) {
  return panelOf(syntheticBars({ seed, tickers: 60, days: 440 }));
}

describe('contributions of picks', () => {
  const RUNS = 1_000;
  const MARKETS = 4;

  test(`sum to the log-odds and lead to the numbers shown, for every pick of ${RUNS} runs`, async () => {
    let [runs, picks] = [0, 0];
    for (let market = 0; market < MARKETS; market++) {
      const panel = marketOf(100 + market);
      const modelCache = modelCacheOfTest();
      const table = screenInput({ panel, params: {} }).features();
      for (; runs < ((market + 1) * RUNS) / MARKETS; runs++) {
        const { screen, params } = SCREENS[runs % SCREENS.length]!;
        let trained: TrainedMarket | undefined;
        const { result } = await screen.run({
          ...screenInput({
            panel,
            params: { ...params, min_probability: 30 + (runs % 40), max_picks: 1 + (runs % 20) },
          }),
          modelCache,
          onTrained: (market) => (trained = market),
        });
        const { ensemble } = trained!.trained;
        for (const row of result['df_result'] as Row[]) {
          const { base_value, features, calibration, log_odds, ...shown } = row.contributions;
          const sum = features.reduce((total, line) => total + line.log_odds, base_value);
          expect(Math.abs(sum + calibration! - log_odds!)).toBeLessThan(1e-9);
          expect(features.map(({ name }) => name).toSorted()).toEqual(ensemble.featureNames.toSorted());
          expect(Math.abs(100 * logistic(log_odds!) - row.win_chance_pct)).toBeLessThan(0.0501);
          expect(shown.win_chance_pct).toBe(row.win_chance_pct);
          expect(shown.base_rate_pct).toBe(row.base_rate_pct);
          expect(`${shown.probability.toFixed(1)}%`).toBe(row.Probability);
          expect(shown.win_chance_pct! + shown.scale!).toBeCloseTo(shown.probability, 9);
          const stock = trained!.stocks.find(({ code }) => code === row.Ticker)!;
          const exact = superiorityOver(stock.baseRate)(logistic(log_odds!));
          expect(Math.abs(exact - shown.probability)).toBeLessThan(0.11);
          picks++;
          if (ensemble.featureNames.length > table.names.length) continue;
          const matrix = featureMatrix(table, Uint32Array.of(stock.row));
          expect(Math.abs(sum - rawScores(ensemble, matrix)[0]!)).toBeLessThan(1e-4);
          expect(Math.abs(sum - sumOf(new TreeContributions(ensemble).of(matrix, 0)[0]!))).toBeLessThan(1e-9);
        }
      }
    }
    expect(runs).toBe(RUNS);
    expect(picks).toBeGreaterThan(RUNS);
  });

  test('of a position give the chances shown, class by class', async () => {
    const panel = marketOf(3);
    const tickers = panel.columns.tickers.slice(0, 12);
    const positions = tickers.map((ticker) => ({ ticker, pnl_input: -5 }));
    const { result } = await screenOfE.run(screenInput({ panel, params: { ...defaultsOf(ofE), positions } }));
    const rows = result['df_result'] as Record<string, unknown>[];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const { base_values, features, temperature, chances_pct } = row['contributions'] as {
        base_values: Record<string, number>;
        features: { log_odds: Record<string, number> }[];
        temperature: number;
        chances_pct: Record<string, number>;
      };
      const scores = Object.entries(base_values).map(([bucket, base]) =>
        Math.exp(features.reduce((sum, line) => sum + line.log_odds[bucket]!, base) / temperature),
      );
      const total = scores.reduce((a, b) => a + b);
      for (const [i, bucket] of Object.keys(base_values).entries()) {
        expect(Math.abs((100 * scores[i]!) / total - chances_pct[bucket]!)).toBeLessThan(0.051);
      }
      expect((row['reasons'] as Localised[]).map((reason) => reason.in.en)).toHaveLength(5);
    }
  });
});

describe('reasons', () => {
  const FEATURES = [
    ...[...STOCK_FEATURES, ...MARKET_FEATURES, ...SHORT_FEATURES, ...FLOW_FEATURES].map(({ name }) => name),
    ...CYCLE_FEATURES,
    ...Object.keys(VOLATILITY_WORDS),
  ];
  const ADVICE = /\b(beli(lah)?|jual(lah)?|sebaiknya|disarankan|should|buy now|sell now|recommend)\b/i;

  test('have distinct words for every feature of every model', () => {
    for (const language of ['id', 'en'] as const)
      expect(new Set(FEATURES.map((name) => wordsOf(name)[language])).size).toBe(FEATURES.length);
    expect(() => wordsOf('nothing')).toThrow(RangeError);
  });

  const anyLine: fc.Arbitrary<FeatureLine> = fc.record({
    name: fc.constantFrom(...FEATURES),
    value: fc.integer({ min: -10_000, max: 10_000 }).map((n) => n / 10_000),
    log_odds: fc.oneof(fc.constant(0), fc.double({ min: -2, max: 2, noNaN: true })),
  });
  /** A value in its unit, rounded to the digits shown. */
  const inUnit = ({ name, value }: FeatureLine): number | undefined => {
    const { unit } = wordsOf(name);
    if (unit === 'direction') return undefined;
    const of = { points: value, days: value, ranges: value, score: 100 * value, fraction: 100 * value };
    if (unit === 'rank') return 50 * (1 + value);
    return unit === 'log_fraction' ? 100 * Math.exp(value) : of[unit];
  };
  const numbersIn = (text: string, decimal: ',' | '.') =>
    [...text.matchAll(/[+-]?\d[\d.,]*\d|[+-]?\d/g)].map(([number]) =>
      Number(decimal === ',' ? number.replaceAll('.', '').replace(',', '.') : number.replaceAll(',', '')),
    );

  test('state the value of their feature and the direction of its effect in both languages', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const reason = chanceReasons([line]).at(-1);
        const words = wordsOf(line.name);
        const effects = {
          id: line.log_odds === 0 ? 'tidak mengubah' : line.log_odds > 0 ? 'menaikkan' : 'menurunkan',
          en: line.log_odds === 0 ? 'left' : line.log_odds > 0 ? 'raised' : 'lowered',
        };
        for (const [language, decimal] of [
          ['id', ','],
          ['en', '.'],
        ] as const) {
          const text = reason!.in[language];
          expect(text.startsWith(words[language])).toBe(true);
          expect(text).toContain(effects[language]);
          expect(text.endsWith('.')).toBe(true);
          const said = numbersIn(text.slice(words[language].length), decimal);
          const value = inUnit(line);
          if (value !== undefined) expect(Math.abs(said[0]! - value)).toBeLessThanOrEqual(0.500001);
          expect(text.replace(words[language], '')).not.toMatch(ADVICE);
        }
      }),
    );
  });

  test('are five, or fewer when there are fewer contributions', () => {
    const lines = FEATURES.slice(0, 8).map((name, i) => ({ name, value: 0, log_odds: 8 - i }));
    expect(chanceReasons(lines)).toHaveLength(5);
    expect(chanceReasons(lines.slice(0, 2))).toHaveLength(2);
    expect(chanceReasons([])).toEqual([]);
  });

  test('never begin with one that lowered the chance, also where nothing raised it', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 8 }), (lines) => {
        const largestFirst = lines.toSorted((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds));
        const reasons = chanceReasons(largestFirst);
        expect(reasons.length).toBeLessThanOrEqual(5);
        const raised = largestFirst.some(({ log_odds }) => log_odds > 0);
        expect(reasons[0]!.in.en).toContain(
          raised ? 'and raised the chance' : 'Nothing that the model looked',
        );
        expect(reasons[0]!.in.id).toContain(raised ? 'dan menaikkan peluang' : 'Tidak satu pun yang dilihat');
      }),
    );
  });

  test('of a forecast are largest first, also where the largest moved it down', () => {
    const effects = { raised: 'up', lowered: 'down', left: 'nowhere' };
    const lines = [-3, 2].map((log_odds, i) => ({ name: FEATURES[i]!, value: 0, log_odds }));
    const [first] = reasonsOf(lines, { id: effects, en: effects });
    expect(first!.in.en).toMatch(/ down\.$/);
  });
});

describe('the notice', () => {
  test('explains the number and the past win rate, and says that it is no recommendation', () => {
    const chances = chanceToWin([0.347, 0.3021], 0.25);
    const { in: text } = notice(chances, winRecord({ win_rate: 31.4, candidates: 1_234 }));
    expect(text.id).toMatch(
      /30,2% sampai 34,7%.*25,0%.*Probabilitas.*Dari 1\.234 pilihan.*31,4%.*bukan rekomendasi/,
    );
    expect(text.en).toMatch(/30\.2% to 34\.7%.*25\.0%.*probability.*Of 1,234.*31\.4%.*no recommendation/);
    const none = notice(chanceToWin([], 0.25), winRecord({ candidates: 0 })).in;
    expect(none.id).not.toMatch(/null|NaN/);
    expect(none.en).toMatch(/^The usual chance.*25\.0%.*no picks of past days.*no recommendation/);
    expect(chanceToWin([0.3, 0.3004], 0.25).in.en).toMatch(/^The chance of these picks .* is 30\.0%;/);
  });
});

describe('JSON in two languages', () => {
  const sentence = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
  const anyValue = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.jsonValue({ maxDepth: 1 }),
      sentence.map(([id, en]) => new Localised(id, en)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 5 }), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const spoken = (value: unknown, language: 'id' | 'en'): unknown => {
    if (value instanceof Localised) return value.in[language];
    if (Array.isArray(value)) return value.map((item) => spoken(item, language));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoken(item, language)]));
  };

  test('is Indonesian as stored and English after its replacements', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const { json, english } = localisedJson({ value });
        expect(json).toBe(JSON.stringify({ value: spoken(value, 'id') }));
        const text = withReplacements(Buffer.from(json), english);
        expect(text).toBe(JSON.stringify({ value: spoken(value, 'en') }));
      }),
      { numRuns: 500 },
    );
  });
});

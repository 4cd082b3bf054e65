import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { COMPARE_ALL, STRATEGIES } from './combined/params.ts';
import { explainName, whyOutside } from './explain/explain-name.ts';
import { unpackExplanation, packExplanation } from './picks/run-explanation.ts';
import { brokerMarket, DEFAULTS as ofC, panelAndDays } from './gross-alpha/gross-fixture.ts';
import type { ModelCache } from './trained/model-cache.ts';
import { keptModels } from './trained/model-cache-fixture.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { LOW_FLOORS } from './model/model.ts';
import { defaultsOf } from './inputs/parameters.ts';
import { MODELS } from './registry.ts';
import { screenInput } from './fixtures/screen-input-fixture.ts';
import { RunFailure } from './inputs/run-failure.ts';
import type { ScreenInput } from './model/screen.ts';
import type { View } from './results/full-view.ts';

/** A run that names `tickers` learns and ranks as without them. Only which stocks may be picked is limited. */

const market = { panel: panelOf(syntheticBars({ seed: 11, tickers: 60, days: 420 })) };
const gross = panelAndDays(brokerMarket({ seed: 5, tickers: 40, days: 420, pull: 0.5 }));

interface Case {
  id: string;
  params: Record<string, unknown>;
  view?: View;
  on?: Pick<ScreenInput, 'panel'> & Partial<Pick<ScreenInput, 'brokerDays'>>;
}

const OF_F = { ...LOW_FLOORS, min_probability: 30, min_signals: 1, max_picks: 20 };
const CASES: Case[] = [
  {
    id: 'regime_adaptive_v6',
    params: { ...LOW_FLOORS, train_days: 250, min_probability: 30, max_picks: 20 },
  },
  {
    id: 'gann_classic_v7',
    params: { ...LOW_FLOORS, min_probability: 30, min_cycle_score: 0, max_picks: 20 },
  },
  { id: 'gann_classic_v7', params: { ...LOW_FLOORS, use_ml: false, min_cycle_score: 0, max_picks: 20 } },
  { id: 'gross_alpha_v10', params: { ...ofC, max_picks: 20 }, on: gross },
  { id: 'confluence_filter', params: { ...LOW_FLOORS, min_signals: 1, max_picks: 50 } },
  ...[...STRATEGIES, COMPARE_ALL].map((strategy) => ({
    id: 'model_f_combined',
    params: { ...OF_F, strategy },
  })),
  { id: 'model_f_combined', params: OF_F, view: 'compact' },
];

test('every model that picks is tried here', () => {
  const picking = MODELS.filter(({ picks }) => picks).map(({ id }) => id);
  expect(new Set(CASES.map(({ id }) => id))).toEqual(new Set(picking));
});

type ShownPick = Record<string, unknown>;

async function run(
  { id, params, on = market, view = 'full' }: Case,
  change: Record<string, unknown> = {},
  modelCache?: ModelCache,
) {
  const model = MODELS.find((one) => one.id === id)!;
  const { screen } = await model.screen();
  const complete: Record<string, unknown> = { ...defaultsOf(model.params), ...params, ...change };
  const input = screenInput({ ...on, params: complete, view, ...(modelCache && { modelCache }) });
  const output = await screen.run(input);
  const plain = JSON.parse(JSON.stringify(output.result)) as Record<string, unknown>;
  const picks = (plain['df_result'] ?? plain['picks']) as ShownPick[];
  return { output, plain, picks, explanation: unpackExplanation(packExplanation(output.explanation!)) };
}

const codeOf = (pick: ShownPick) => (pick['Ticker'] ?? pick['ticker']) as string;

describe.each(CASES)('$id $params.strategy $params.use_ml $view', (tried) => {
  test('picks with tickers are the entries of those stocks in the result without them, and no model is trained again', async () => {
    const models = keptModels();
    const whole = await run(tried, {}, models);
    expect(whole.picks.length).toBeGreaterThan(2);
    const tickers = whole.picks.map(codeOf).filter((_, at) => at % 2 === 1);
    const limited = await run(tried, { tickers: [...tickers, 'NONE'] }, models);
    expect(limited.picks).toEqual(whole.picks.filter((pick) => tickers.includes(codeOf(pick))));
    expect(limited.output.summary.tickers).toEqual(tickers);
    expect(limited.plain['missing']).toEqual(['NONE']);
    expect(limited.plain['model_quality']).toEqual(whole.plain['model_quality']);
    if (whole.output.origin) expect(limited.output.origin).toBe('reused');
    if (whole.output.model)
      expect(limited.output.model!.fingerprint).not.toBe(whole.output.model.fingerprint);
    expect(whole.plain).not.toHaveProperty('missing');
  });

  test('as many stocks are picked as without tickers, counted among those asked for', async () => {
    const whole = await run(tried);
    const tickers = whole.picks.slice(1).map(codeOf);
    const first = await run(tried, { tickers, max_picks: 1 });
    // A list that every pick of Intersection and Compare All must be on is shorter with fewer picks.
    const isOfList = ['Intersection', COMPARE_ALL].includes(String(tried.params['strategy']));
    if (!isOfList && tried.id !== 'regime_adaptive_v6')
      expect(first.output.summary.tickers).toEqual([tickers[0]]);
    expect(first.picks.length).toBeLessThanOrEqual(1);
  });

  test('counts and explanations are of the stocks asked for, and say so of the others', async () => {
    const whole = await run(tried);
    const [left, ...tickers] = whole.picks.map(codeOf);
    const { explanation, plain } = await run(tried, { tickers });
    const counts = (plain['funnel'] ?? plain['diag']) as Record<string, number>;
    expect(counts['total_scanned']).toBe(tickers.length);
    const { params } = MODELS.find(({ id }) => id === tried.id)!;
    const query = { language: 'en', params, datasetVersion: 'v' } as const;
    expect(explainName(explanation, left!, query)).toMatchObject({
      picked: false,
      place: 1,
      fell_at: 'tickers',
      steps: [
        { name: 'total_scanned', passed: true },
        { name: 'tickers', passed: false },
      ],
      message: `${left} is not among the tickers asked for.`,
    });
    expect(explainName(explanation, tickers[0]!, query)).toMatchObject({ picked: true, place: 2 });
    expect(whyOutside(explanation, 'NEVR')).toContain('NEVR is not among the tickers asked for');
  });

  test('a result without picks suggests only what lets one of the stocks asked for pass', async () => {
    const { explanation } = await run(tried);
    const fallen = explanation.names.filter(({ fell }) => fell !== null).map(({ ticker }) => ticker);
    const isTested = fallen.length > 0 && tried.view !== 'compact';
    if (!isTested) return;
    const limited = await run(tried, { tickers: fallen });
    const { changes } = (limited.plain['empty'] ?? { changes: {} }) as { changes: Record<string, unknown> };
    if (limited.output.summary.pick_count > 0 || Object.keys(changes).length === 0) return;
    const again = await run(tried, { tickers: fallen, ...changes });
    expect(again.output.summary.pick_count).toBeGreaterThan(0);
    for (const ticker of again.output.summary.tickers) expect(fallen).toContain(ticker);
  });
});

describe('recovery_v4', () => {
  const { tickers } = market.panel.columns;
  const positions = tickers.slice(0, 12).map((ticker) => ({ ticker, pnl_input: -5 }));
  const tried = { id: 'recovery_v4', params: { positions } };
  const judged = ({ plain }: Awaited<ReturnType<typeof run>>) => plain['df_result'] as ShownPick[];

  test('judges the positions among tickers as without them, and skips the others with the reason', async () => {
    const models = keptModels();
    const whole = await run(tried, {}, models);
    const requested = judged(whole).slice(1).map(codeOf);
    const limited = await run(tried, { tickers: requested }, models);
    expect(judged(limited)).toEqual(judged(whole).slice(1));
    expect(limited.output.origin).toBe('reused');
    const left = codeOf(judged(whole)[0]!);
    const skipped = limited.output.result['skipped'] as { ticker: string; reason: { in: { en: string } } }[];
    expect(skipped.find(({ ticker }) => ticker === left)!.reason.in.en).toBe(
      'This stock is not among the tickers asked for.',
    );
    const { params } = MODELS.find(({ id }) => id === 'recovery_v4')!;
    expect(
      explainName(limited.explanation, left, { language: 'en', params, datasetVersion: 'v' }),
    ).toMatchObject({ picked: false, fell_at: 'tickers' });
  });

  test('fails with the reason if tickers leave no position', async () => {
    await expect(run(tried, { tickers: ['NONE'] })).rejects.toThrow(RunFailure);
  });
});

import { rounded } from '../display.ts';
import { fullResult } from '../learnt/full-result.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import type { LearntMarket, ScoredStock } from '../learnt/learnt-market.ts';
import { pickRow } from '../picks/pick-row.ts';
import { picksToRecord } from '../picks/picks-to-record.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../screen.ts';
import { regimeAdaptive, type RegimeAdaptiveParams } from './model.ts';
import { effective, funnelOf, regimeAdaptiveEmptyBlock, regimeUsed, select, tracesOf } from './selection.ts';

/** Model A: names that are likely by what was learnt, ranked and filtered by what suits the market's condition. */
export const screen: Screen<RegimeAdaptiveParams> = { run };

async function run(input: ScreenInput<RegimeAdaptiveParams>): Promise<ScreenOutput> {
  const { target_gain, stop_loss, horizon_days, train_days } = input.params;
  const market = await learnMarket(input, {
    modelId: regimeAdaptive.id,
    version: regimeAdaptive.version,
    analysisDate: input.analysisDate,
    targetGain: target_gain,
    stopLoss: stop_loss,
    horizonDays: horizon_days,
    trainDays: train_days,
  });
  return regimeAdaptiveResult(input, market);
}

/**
 * What model A makes of a learnt market. The probabilities are those of all days: a regime lasts weeks, so the forecasts
 * of past days hold but two or three stretches of each that do not overlap, too few to calibrate by. The trees
 * themselves know the regime, whose score is one of their features.
 */
export function regimeAdaptiveResult(
  input: Pick<ScreenInput<RegimeAdaptiveParams>, 'panel' | 'features' | 'regime' | 'dataset' | 'params'>,
  market: LearntMarket,
): ScreenOutput {
  const { panel, params } = input;
  const { day, asOf, stocks } = market;
  const history = input.regime();
  const regime = regimeUsed(params.regime, history.regime[day]!);
  const { minProbability, maxPicks } = effective(params, regime);
  const selectWith = (tried: RegimeAdaptiveParams) => select(stocks, input.features(), regime, tried);
  const picksOf = (ofDay: readonly ScoredStock[], pastDay: number) => {
    const itsRegime = regimeUsed(params.regime, history.regime[pastDay]!);
    return select(ofDay, input.features(), itsRegime, params).picks.map(({ stock }) => stock);
  };
  const selection = selectWith(params);
  const { picks } = selection;
  const picked = picks.map(({ stock }) => stock);
  return fullResult(input, market, {
    modelId: regimeAdaptive.id,
    barriers: params,
    picks: picked,
    rows: picks.map(({ stock, score }) => pickRow(stock, score, { panel, day, regime, barriers: params })),
    trace: { steps: selection.steps, names: tracesOf(selection, regime, params) },
    quality: market.quality(picksOf),
    // Of the market even where the caller names a regime.
    record: picksToRecord(picked, params, {
      horizonDays: params.horizon_days,
      regime: history.regime[day]!,
    }),
    diag: {
      ...funnelOf(selection),
      regime,
      regime_source: params.regime === 'auto' ? 'market' : 'parameter',
      regime_score: rounded(history.score[day]!, 1),
      min_probability: minProbability,
      max_picks: maxPicks,
    },
    ...(picks.length === 0
      ? { empty: regimeAdaptiveEmptyBlock({ select: selectWith, params, regime, isoDate: asOf }) }
      : {}),
  });
}

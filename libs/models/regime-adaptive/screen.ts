import { rounded } from '../results/display.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import type { LearntMarket, ScoredStock } from '../learnt/learnt-market.ts';
import { fullPicksOutput } from '../learnt/picks-output.ts';
import { wholeMarket } from '../funnel.ts';
import { pickRow, type RowContext } from '../picks/pick-row.ts';
import { type RankedStock, shownScore } from '../picks/ranking.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../screen.ts';
import { type RegimeAdaptiveParams, ID, VERSION, daysNeeded } from './params.ts';
import type { RegimeAdaptiveRow } from './result.ts';
import { effective, funnelOf, regimeAdaptiveEmptyBlock, regimeUsed, select, tracesOf } from './selection.ts';

/** Model A: names with a high learnt probability, ranked and filtered by what suits the regime of the market. */
export const screen: Screen<RegimeAdaptiveParams> = { run };

async function run(input: ScreenInput<RegimeAdaptiveParams>): Promise<ScreenOutput> {
  const { target_gain, stop_loss, horizon_days, train_days } = input.params;
  const market = await learnMarket(input, {
    modelId: ID,
    version: VERSION,
    analysisDate: input.analysisDate,
    leastDays: daysNeeded(input.params),
    targetGain: target_gain,
    stopLoss: stop_loss,
    horizonDays: horizon_days,
    trainDays: train_days,
  });
  return regimeAdaptiveResult(input, market);
}

/**
 * Computes the result of model A from a learnt market. Probabilities are calibrated on days of all regimes: a regime lasts
 * weeks, so past forecasts contain only two or three separate stretches of each, too few to calibrate on. The trees do know the
 * regime, because its score is one of their features.
 */
export function regimeAdaptiveResult(
  input: Pick<ScreenInput<RegimeAdaptiveParams>, 'panel' | 'features' | 'regime' | 'dataset' | 'params'>,
  market: LearntMarket,
): ScreenOutput {
  const { params } = input;
  const { day, asOf, stocks } = market;
  const history = input.regime();
  const regime = regimeUsed(params.regime, history.regime[day]!);
  const { minProbability, maxPicks } = effective(params, regime);
  const selectWith = (tried: RegimeAdaptiveParams) => select(stocks, input.features(), regime, tried);
  const picksOf = (ofDay: readonly ScoredStock[], pastDay: number) => {
    const itsRegime = regimeUsed(params.regime, history.regime[pastDay]!);
    return select(ofDay, input.features(), itsRegime, wholeMarket(params)).picks.map(({ stock }) => stock);
  };
  const selection = selectWith(params);
  return fullPicksOutput(input, market, {
    modelId: ID,
    horizonDays: params.horizon_days,
    picks: selection.picks,
    stockOf: ({ stock }) => stock,
    row: (pick, rank, context) => regimeAdaptiveRow(pick, rank, { ...context, regime }),
    trace: { steps: selection.steps, names: tracesOf(selection, regime, params) },
    effectiveParams: {
      regime: regime.toLowerCase(),
      min_probability: minProbability,
      max_picks: maxPicks,
    },
    quality: market.quality(picksOf),
    diag: () => ({
      ...funnelOf(selection),
      regime,
      regime_source: params.regime === 'auto' ? 'market' : 'parameter',
      regime_score: rounded(history.score[day]!, 1),
      min_probability: minProbability,
      max_picks: maxPicks,
    }),
    emptyBlock: () => regimeAdaptiveEmptyBlock({ select: selectWith, params, regime, isoDate: asOf }),
  });
}

function regimeAdaptiveRow(pick: RankedStock, rank: number, context: RowContext): RegimeAdaptiveRow {
  const { score, fromProbability, fromRest } = shownScore(pick);
  return {
    ...pickRow(pick.stock, { rank, score }, context),
    'Score From Probability': fromProbability,
    'Score From Style': fromRest,
  };
}

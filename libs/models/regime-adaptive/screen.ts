import type { Regime } from '#quant/regime/regime.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { learnMarket } from '../trained/learn-market.ts';
import type { TrainedMarket, ScoredStock } from '../trained/trained-market.ts';
import { fullPicksOutput } from '../model/picks-output.ts';
import { Selection, wholeMarket } from '../picks/selection.ts';
import { pickRow, type RowContext } from '../picks/pick-row.ts';
import { type RankedStock, shownScore } from '../picks/ranking.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../model/screen.ts';
import { type RegimeAdaptiveParams, ID, VERSION, daysNeeded } from './params.ts';
import type { RegimeAdaptiveRow } from './result.ts';
import { effective, regimeUsed, rulesIn, whyNone } from './selection.ts';

/** Model A: names with a high model probability, ranked and filtered by what suits the regime of the market. */
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
 * Computes the result of model A from a trained market. Probabilities are calibrated on days of all regimes: a regime lasts
 * weeks, so past forecasts contain only two or three separate stretches of each, too few to calibrate on. The trees do know the
 * regime, because its score is one of their features.
 */
export function regimeAdaptiveResult(
  input: Pick<ScreenInput<RegimeAdaptiveParams>, 'panel' | 'features' | 'regime' | 'dataset' | 'params'>,
  market: TrainedMarket,
): ScreenOutput {
  const { params } = input;
  const { day, stocks } = market;
  const history = input.regime();
  const regime = regimeUsed(params.regime, history.regime[day]!);
  const { minProbability, maxPicks } = effective(params, regime);
  const ofPastDays = wholeMarket(params);
  const select = (ofDay: readonly ScoredStock[], used: Regime, asked: RegimeAdaptiveParams) =>
    new Selection(ofDay, asked, (tried) => rulesIn(used, input.features(), tried));
  const selection = select(stocks, regime, params);
  return fullPicksOutput(input, market, {
    modelId: ID,
    horizonDays: params.horizon_days,
    selection,
    row: (pick, rank, context) => regimeAdaptiveRow(pick, rank, { ...context, regime }),
    effectiveParams: {
      regime: regime.toLowerCase(),
      min_probability: minProbability,
      max_picks: maxPicks,
    },
    quality: market.quality(
      (ofDay, pastDay) =>
        select(ofDay, regimeUsed(params.regime, history.regime[pastDay]!), ofPastDays).stocks,
    ),
    diag: () => ({
      regime,
      regime_source: params.regime === 'auto' ? 'market' : 'parameter',
      regime_score: toDecimals(history.score[day]!, 1),
      min_probability: minProbability,
      max_picks: maxPicks,
    }),
    whyNone: () => whyNone(regime, selection),
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

import Type, { type Static, type TObject } from 'typebox';
import { oneOf } from '#foundation/schema.ts';
import { TrainedModel } from '../trained/result.ts';
import {
  final,
  fullView,
  liquid,
  number,
  pickColumns,
  picksMembers,
  pickReasons,
  regime,
  scanned,
  scoreParts,
  step,
  withFeatures,
} from '../results/results.ts';
import { ID } from './params.ts';

const funnel = {
  total_scanned: scanned,
  total_liquid: liquid,
  after_regime: step('Number of these stocks that suit the regime.'),
  after_probability: step('Number of these stocks that are likely enough for the regime.'),
  final,
};

const columns = {
  ...pickColumns,
  ...scoreParts('Style', 'Points of `Score` for features that suit the regime.'),
};
export type RegimeAdaptiveRow = Static<TObject<typeof columns>>;
export type RegimeAdaptiveFunnel = Static<TObject<typeof funnel>>;

const RegimeAdaptiveResult = fullView('RegimeAdaptiveResult', {
  modelId: ID,
  members: {
    ...picksMembers(funnel),
    effective_params: Type.Object(
      {
        regime: oneOf(['bull', 'sideways', 'bear'], { description: 'Regime that was used.' }),
        min_probability: number(
          'Minimum probability that was used, percent: higher than asked in a bear market.',
        ),
        max_picks: step('Maximum number of picks that was used: lower than asked in a bear market.'),
      },
      { description: 'Values that the run used instead of those of the same names in `params` of the job.' },
    ),
  },
  row: Type.Object({ ...columns, ...pickReasons }, withFeatures),
  diag: {
    ...funnel,
    regime,
    regime_source: oneOf(['market', 'parameter'], { description: 'Source of the regime.' }),
    regime_score: number('Regime score of the market on the day, -100 to 100.'),
    min_probability: number('Minimum probability after adjustment for the regime, percent.'),
    max_picks: step('Maximum number of picks after adjustment for the regime.'),
    model: TrainedModel,
  },
});

export const results = { full: RegimeAdaptiveResult };

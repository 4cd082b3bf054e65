import Type from 'typebox';
import { oneOf } from '../common.ts';
import { final, picksMembers, step } from './common.ts';
import { fullView } from './full-view.ts';
import { LearntModel } from './learnt-model.ts';
import { number, pickColumns, regime } from './rows.ts';

const funnel = {
  total_scanned: step('Stocks that can be dealt in, above the floors of price and value.'),
  after_probability: step('Those that are likely enough for the regime.'),
  final,
};

export const RegimeAdaptiveResult = fullView('RegimeAdaptiveResult', {
  modelId: 'regime_adaptive_v6',
  members: picksMembers(funnel),
  row: Type.Object(pickColumns),
  diag: {
    ...funnel,
    regime,
    regime_source: oneOf(['market', 'parameter'], { description: 'Where the regime comes from.' }),
    regime_score: number('Condition of the market on the day, -100 to 100.'),
    min_probability: number('The threshold as the regime made it, percent.'),
    max_picks: step('Most picks as the regime made it.'),
    model: LearntModel,
  },
});

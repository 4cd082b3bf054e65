import type { ScreenInput } from '../screen.ts';
import { fingerprint } from './fingerprint.ts';
import { BINNING, boostingOf, walkForward } from './learning-plan.ts';
import type { LearningWish } from './learnt-market.ts';
import type { TrainingSet } from './training-set.ts';

/** Where a learnt model comes from. */
export interface Provenance {
  model_id: string;
  version: string;
  dataset_version: string;
  /** Day analysed, YYYY-MM-DD. */
  as_of: string;
  seed: number;
  training: {
    /** First and last day learnt from, YYYY-MM-DD. */
    from: string;
    to: string;
    /** Trading days from the first to the last. */
    days: number;
    rows: number;
  };
  fingerprint: string;
}

export function provenanceOf(
  { panel, dataset, params, view }: ScreenInput,
  wish: LearningWish,
  set: TrainingSet,
  day: number,
): Provenance {
  const { dates } = panel.columns;
  const [first, last] = [set.days[0]!, set.days.at(-1)!];
  const boosting = boostingOf(wish);
  const told = {
    model_id: wish.modelId,
    version: wish.version,
    dataset_version: dataset.version,
    as_of: dates[day]!,
    seed: boosting.seed,
    training: { from: dates[first]!, to: dates[last]!, days: last - first + 1, rows: set.rows.length },
  };
  const inputs = {
    ...told,
    view,
    params: { ...params, analysis_date: told.as_of },
    barriers: [wish.targetGain, wish.stopLoss, wish.horizonDays],
    features: set.matrix.names,
    boosting,
    binning: BINNING,
    folds: walkForward(told.training.days, wish.horizonDays),
  };
  const { matrix, outcomes } = set;
  const learntFrom = [matrix.values, outcomes.won, outcomes.netReturn];
  return { ...told, fingerprint: fingerprint(inputs, learntFrom) };
}

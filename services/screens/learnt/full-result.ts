import type { Origin, ScreenInput, ScreenOutput } from '../screen.ts';
import type { ExtraFeatures, LearntMarket, LearntModel, ModelQuality, ScoredStock } from './learnt-market.ts';
import { pickFeatures } from './pick-features.ts';
import { type Barriers, levelsOf } from './pick-row.ts';

/** The day that a result is of, and the model behind it where there is one. */
type ResultMarket = Pick<LearntMarket, 'asOf'> & {
  description: Record<string, unknown> | null;
  model?: LearntModel;
  origin?: Origin;
};

/** What a screen has made of a learnt market. */
interface LearntResult {
  modelId: string;
  barriers: Barriers;
  /** Best first. */
  picks: readonly Pick<ScoredStock, 'code' | 'row'>[];
  rows: Record<string, unknown>[];
  /** Of the run, beside those of the feature table. */
  extraFeatures?: ExtraFeatures;
  quality: ModelQuality;
  /** How the universe was narrowed, and what else the screen has to say of its run. */
  diag: Record<string, unknown>;
  /** Only without picks. */
  empty?: object;
}

/** The full view of a learning screen: one envelope for all of them, and after each pick the features behind it. */
export function fullResult(
  { dataset, features }: Pick<ScreenInput, 'dataset' | 'features'>,
  market: ResultMarket,
  { modelId, barriers, picks, rows, extraFeatures, quality, diag, empty }: LearntResult,
): ScreenOutput {
  const featuresOf = pickFeatures(features(), picks, extraFeatures);
  const result = {
    model_id: modelId,
    view: 'full',
    as_of: market.asOf,
    target_date: market.asOf,
    pick_count: picks.length,
    levels: levelsOf(barriers),
    df_result: rows.map((row, i) => ({ ...row, ...featuresOf[i] })),
    model_quality: quality,
    diag: {
      ...diag,
      model: market.description,
      dataset_version: dataset.version,
      broker_data: dataset.broker_data,
    },
    dataset: { ...dataset, synthetic: dataset.kind === 'synthetic' },
    ...(empty ? { empty } : {}),
  };
  const summary = summaryOf(market, picks);
  return { result, summary, ...modelOf(market) };
}

/** What a run that learnt says beside its result. */
export function modelOf({ model, origin }: Pick<ResultMarket, 'model' | 'origin'>) {
  return { ...(model && { model }), ...(origin && { origin }) };
}

export function summaryOf({ asOf }: Pick<LearntMarket, 'asOf'>, picks: readonly Pick<ScoredStock, 'code'>[]) {
  return { pick_count: picks.length, tickers: picks.map(({ code }) => code), target_date: asOf };
}

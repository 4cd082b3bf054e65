import type { ScreenInput, ScreenOutput } from '../screen.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import { type RunExplanation, runExplanation, type ScoredNames } from '../explain/run-explanation.ts';
import type { NameTrace } from '../funnel.ts';
import { unbuyableNames } from './buyable.ts';
import { outsiders } from '#quant/universe/candidates.ts';
import type { Origin } from './result.ts';
import type { ExtraFeatures, LearntMarket, LearntModel, ModelQuality, ScoredStock } from './learnt-market.ts';
import { featureMatrix } from './training.ts';
import { pickReasons } from '../picks/pick-reasons.ts';
import { type Barriers, levelsOf } from '../picks/pick-row.ts';
import type { PicksToRecord } from '../picks/picks-to-record.ts';
import type { TwoClassModel } from '../reasons/contribution-lines.ts';
import type { Localised } from '#shared/text/localised.ts';
import { chanceToWin, notice, winRecord } from '../reasons/notice.ts';

/** The day of a result, and the model behind it if there is one. */
type ResultMarket = Pick<LearntMarket, 'asOf' | 'day'> & {
  stocks: readonly Pick<ScoredStock, 'row'>[];
  baseRate?: number;
  description: Record<string, unknown> | null;
  model?: LearntModel;
  origin?: Origin;
  learnt?: TwoClassModel;
};

/** A pick. Its chance fields come from the model and are absent if none was learnt. */
type ResultPick = Pick<ScoredStock, 'code' | 'row'> &
  Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

/** The output of a screen on a learnt market. */
interface LearntResult {
  modelId: string;
  barriers: Barriers;
  /** Best first. */
  picks: readonly ResultPick[];
  rows: Record<string, unknown>[];
  /** Features of the run in addition to those of the feature table. */
  extraFeatures?: ExtraFeatures;
  quality: ModelQuality;
  /** The values of parameters that the screen used instead of those that were sent. */
  effectiveParams?: Record<string, unknown>;
  record: PicksToRecord;
  /** How the universe was narrowed, and other facts about the run. */
  diag: Record<string, unknown>;
  /** The meaning of the screen's score, if it is not a probability. Needed if nothing was learnt. */
  number?: Localised;
  /** How far each name of the universe got. */
  trace: Trace;
  /** Only without picks. */
  empty?: object;
}

/** The full view of a learning screen: the same envelope for all of them, with the features behind each pick. */
export function fullResult(
  { dataset, features }: Pick<ScreenInput, 'dataset' | 'features'>,
  market: ResultMarket,
  {
    modelId,
    barriers,
    picks,
    rows,
    extraFeatures,
    quality,
    effectiveParams,
    record,
    diag,
    number,
    trace,
    empty,
  }: LearntResult,
): ScreenOutput {
  const { learnt } = market;
  const said = notice(number ?? chancesOf(picks, market), winRecord(quality));
  const reasonsOf = pickReasons(features(), picks, { learnt, extra: extraFeatures });
  const result = {
    model_id: modelId,
    view: 'full',
    as_of: market.asOf,
    target_date: market.asOf,
    pick_count: picks.length,
    levels: levelsOf(barriers),
    ...(effectiveParams && { effective_params: effectiveParams }),
    df_result: rows.map((row, i) => {
      const { reasons, contributions, features } = reasonsOf[i]!;
      return { ...row, reasons, contributions, ...features };
    }),
    model_quality: quality,
    notice: said,
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
  const explanation = learntExplanation(features(), market, { modelId, extraFeatures, notice: said, trace });
  return { result, summary, record, explanation, ...modelOf(market) };
}

/** The chances that a model gave the picks, beside the usual one. */
function chancesOf(picks: readonly ResultPick[], { baseRate = 0 }: ResultMarket): Localised {
  return chanceToWin(
    picks.map(({ chance = 0 }) => chance),
    baseRate,
  );
}

/** Trace of the run's own selection. */
interface Trace {
  steps: readonly { name: string }[];
  names: NameTrace[];
}

/** The explanation data of a run, with its model if it learnt one. */
export function learntExplanation(
  table: FeatureTable,
  { asOf, day, learnt, stocks }: ResultMarket,
  {
    modelId,
    notice,
    trace,
    extraFeatures,
  }: Pick<LearntResult, 'modelId' | 'trace'> & {
    notice: Localised;
    extraFeatures?: ExtraFeatures | undefined;
  },
): RunExplanation {
  const unbuyable = unbuyableNames(table, day);
  const outside = outsiders(table.panel, day, (ticker) => table.rowAt(ticker, day) !== -1);
  const narrowed = runExplanation({ modelId, asOf, notice, unbuyable, outside, ...trace });
  if (!learnt) return narrowed;
  return { ...narrowed, model: scoredNames(learnt, table, stocks as readonly ScoredStock[], extraFeatures) };
}

/** The rows that names were scored by. `stocks` are in the order of the explanation's names. */
function scoredNames(
  learnt: TwoClassModel,
  table: FeatureTable,
  stocks: readonly ScoredStock[],
  extra?: ExtraFeatures,
): ScoredNames {
  const rows = Uint32Array.from(stocks, ({ row }) => row);
  const matrix = featureMatrix(table, rows, extra);
  return {
    ensemble: learnt.ensemble,
    calibration: learnt.calibration,
    features: matrix.names,
    values: matrix.values,
    baseRate: stocks[0]?.baseRate ?? 0,
    chance: Float32Array.from(stocks, ({ chance }) => chance),
    probability: Float64Array.from(stocks, ({ probability }) => probability),
  };
}

/** The model fields of the result of a run that learnt. */
export function modelOf({ model, origin }: Pick<ResultMarket, 'model' | 'origin'>) {
  return { ...(model && { model }), ...(origin && { origin }) };
}

export function summaryOf({ asOf }: Pick<LearntMarket, 'asOf'>, picks: readonly Pick<ScoredStock, 'code'>[]) {
  return { pick_count: picks.length, tickers: picks.map(({ code }) => code), target_date: asOf };
}

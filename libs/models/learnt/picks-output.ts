import type { FeatureTable } from '#quant/features/feature-table.ts';
import { outsiders } from '#quant/universe/candidates.ts';
import type { Floors } from '#quant/universe/liquidity.ts';
import type { Localised } from '#shared/text/localised.ts';
import { type RunExplanation, runExplanation, type ScoredNames } from '../explain/run-explanation.ts';
import { fullViewOf } from '../results/full-view.ts';
import { missingOf } from '../picks/missing-tickers.ts';
import type { NameTrace } from '../funnel.ts';
import type { Requested } from '../parameters.ts';
import { type PickReasons, pickReasons } from '../picks/pick-reasons.ts';
import { type Barriers, levelsOf, type RowContext } from '../picks/pick-row.ts';
import { picksToRecord } from '../picks/picks-to-record.ts';
import type { TwoClassModel } from '../reasons/contribution-lines.ts';
import { chanceToWin, notice, winRecord } from '../reasons/notice.ts';
import { type ScreenInput, type ScreenOutput, summaryOf } from '../screen.ts';
import { unbuyableNames } from './buyable.ts';
import type { ExtraFeatures, LearntMarket, LearntModel, ModelQuality, ScoredStock } from './learnt-market.ts';
import type { Origin } from './result.ts';
import { featureMatrix } from './training.ts';

type Input = Pick<
  ScreenInput<Barriers & Floors & Requested>,
  'panel' | 'features' | 'regime' | 'dataset' | 'params'
>;

/** The day of a result, and the model behind it if there is one. */
type ResultMarket = Pick<LearntMarket, 'asOf' | 'day'> & {
  stocks: readonly Pick<ScoredStock, 'row'>[];
  baseRate?: number;
  caution?: Localised;
  description: Record<string, unknown> | null;
  model?: LearntModel;
  origin?: Origin;
  learnt?: TwoClassModel;
};

/** Its chance fields come from the model and are absent if none was learnt. */
type PickedStock = Pick<ScoredStock, 'code' | 'row' | 'close'> &
  Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

/** What a screen chose on a market. */
export interface Choice<Pick> {
  modelId: string;
  /** Trading days after the analysed one after which a position is closed. */
  horizonDays: number;
  /** Best first. */
  picks: readonly Pick[];
  stockOf: (pick: Pick) => PickedStock;
  quality: ModelQuality;
  /** How far each name of the universe got. */
  trace: { steps: readonly { name: string }[]; names: NameTrace[] };
  /** Called only without picks. */
  emptyBlock: () => object;
  /** Features of the run in addition to those of the feature table. */
  extraFeatures?: ExtraFeatures;
  /** The meaning of the screen's score, if it is not a probability. Needed if nothing was learnt. */
  number?: Localised;
}

/** What follows from a choice and is shown in every view. */
interface Shown {
  levels: ReturnType<typeof levelsOf>;
  notice: Localised;
  /** One per pick, in the same order. */
  reasons: readonly PickReasons[];
  /** One per pick, from 1: its place among all stocks that the run ranked. */
  ranks: readonly number[];
  /** With the regime of the market. */
  context: RowContext;
  empty: object | undefined;
}

/** The output of a screen that picks stocks on a learnt market. Everything but the result is the same for all of them. */
export function picksOutput<Pick>(
  input: Input,
  market: ResultMarket,
  choice: Choice<Pick>,
  resultOf: (shown: Shown) => Record<string, unknown>,
): ScreenOutput {
  const { panel, params } = input;
  const { day, asOf, learnt, model, origin } = market;
  const { picks, horizonDays, emptyBlock, extraFeatures: extra } = choice;
  const stocks = picks.map(choice.stockOf);
  const regime = input.regime().regime[day]!;
  const said = notice(choice.number ?? chancesOf(stocks, market), winRecord(choice.quality), market.caution);
  const result = resultOf({
    levels: levelsOf(params),
    notice: said,
    reasons: pickReasons(input.features(), stocks, { learnt, extra }),
    ranks: ranksOf(stocks, choice.trace.names),
    context: { panel, day, regime, barriers: params },
    empty: picks.length === 0 ? emptyBlock() : undefined,
  });
  const tickers = stocks.map(({ code }) => code);
  return {
    result,
    summary: summaryOf(asOf, tickers),
    record: picksToRecord(stocks, params, { horizonDays, regime }),
    explanation: explanationOf(input.features(), market, choice, said, params),
    ...(model && { model }),
    ...(origin && { origin }),
  };
}

/** How the full view shows a choice. */
interface InFull<Pick> {
  /** `rank` is 1 for the best stock of the market. */
  row: (pick: Pick, rank: number, context: RowContext) => object;
  /** How the universe was narrowed, and other facts about the run. */
  diag: (context: RowContext) => object;
  /** The values of parameters that the screen used instead of those that were sent. */
  effectiveParams?: Record<string, unknown>;
}

/** The output with the full view, which also shows the features behind each pick. */
export function fullPicksOutput<Pick>(
  input: Input,
  market: ResultMarket,
  choice: Choice<Pick> & InFull<Pick>,
): ScreenOutput {
  const { modelId, picks, row, diag, effectiveParams, quality } = choice;
  return picksOutput(input, market, choice, ({ levels, notice, reasons: reasonsOf, ranks, context, empty }) =>
    fullViewOf(input.dataset, {
      modelId,
      asOf: market.asOf,
      fields: {
        pick_count: picks.length,
        levels,
        ...(effectiveParams && { effective_params: effectiveParams }),
        df_result: picks.map((pick, i) => {
          const { reasons, contributions, features } = reasonsOf[i]!;
          return { ...row(pick, ranks[i]!, context), reasons, contributions, ...features };
        }),
        model_quality: quality,
        notice,
        ...missingOf(input.panel, input.params),
      },
      diag: { ...diag(context), model: market.description },
      empty,
    }),
  );
}

function ranksOf(picks: readonly { code: string }[], names: readonly NameTrace[]): number[] {
  const placeOf = new Map(names.map(({ ticker, place }) => [ticker, place]));
  return picks.map(({ code }) => placeOf.get(code)!);
}

/** The chances that a model gave the picks, beside the usual one. */
function chancesOf(picks: readonly PickedStock[], { baseRate = 0 }: ResultMarket): Localised {
  return chanceToWin(
    picks.map(({ chance = 0 }) => chance),
    baseRate,
  );
}

/** The explanation data of a run, with its model if it learnt one. */
function explanationOf(
  table: FeatureTable,
  { asOf, day, learnt, stocks }: ResultMarket,
  { modelId, trace, extraFeatures }: Pick<Choice<unknown>, 'modelId' | 'trace' | 'extraFeatures'>,
  said: Localised,
  { tickers: requested }: Requested,
): RunExplanation {
  const unbuyable = unbuyableNames(table, day);
  const outside = outsiders(table.panel, day, (ticker) => table.rowAt(ticker, day) !== -1);
  const narrowed = runExplanation({ modelId, asOf, notice: said, unbuyable, outside, requested, ...trace });
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

import type { FeatureTable } from '#quant/features/feature-table.ts';
import { outsiders } from '#quant/universe/candidates.ts';
import type { Floors } from '#quant/universe/liquidity.ts';
import type { Localised } from '#foundation/text/localised.ts';
import { type RunExplanation, runExplanation, type ScoredNames } from '../picks/run-explanation.ts';
import { fullViewOf } from '../results/full-view.ts';
import { missingOf } from '../picks/missing-tickers.ts';
import type { NameTrace } from '../picks/funnel.ts';
import { emptySelection, type WhyNone } from '../picks/empty-block.ts';
import type { Selection } from '../picks/selection.ts';
import type { Requested } from '../inputs/parameters.ts';
import { type PickReasons, pickReasons } from '../picks/pick-reasons.ts';
import { type StopAndTarget, levelsInPercent } from '#quant/labels/price-levels.ts';
import type { RowContext } from '../picks/pick-row.ts';
import { picksToRecord } from '../picks/picks-to-record.ts';
import type { TwoClassModel } from '../reasons/contribution-lines.ts';
import { chanceToWin, missingData, notice, winRecord } from '../reasons/notice.ts';
import { type ScreenInput, type ScreenOutput, summaryOf } from './screen.ts';
import { unbuyableNames } from '../trained/buyable.ts';
import type {
  FeaturesOf,
  TrainedMarket,
  TrainedModel,
  ModelQuality,
  ScoredStock,
} from '../trained/trained-market.ts';
import type { Origin } from '../trained/result.ts';

type Input = Pick<ScreenInput<RunParams>, 'panel' | 'features' | 'regime' | 'dataset' | 'params'>;

/** The day of a result, and the model behind it if there is one. */
type ResultMarket = Pick<TrainedMarket, 'asOf' | 'day' | 'featuresOf'> & {
  stocks: readonly Pick<ScoredStock, 'row'>[];
  baseRate?: number;
  caution?: Localised;
  description: Record<string, unknown> | null;
  model?: TrainedModel;
  origin?: Origin;
  trained?: TwoClassModel;
};

/** Its chance fields come from the model and are absent if none was trained. */
type PickedStock = Pick<ScoredStock, 'code' | 'row' | 'close'> &
  Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

type RunParams = StopAndTarget & Floors & Requested & { max_picks: number };

/** What a screen chose on a market. */
interface Choice<
  N extends PickedStock,
  P extends RunParams,
  R extends { stock: N },
  StepName extends string,
> {
  modelId: string;
  /** Trading days after the analysed one after which a position is closed. */
  horizonDays: number;
  selection: Selection<N, P, R, StepName>;
  quality: ModelQuality;
  /** Called only without picks. */
  whyNone: () => WhyNone<NoInfer<P>, Selection<NoInfer<N>, NoInfer<P>, NoInfer<R>, NoInfer<StepName>>>;
  /** The meaning of the screen's score, if it is not a probability. Needed if no model was trained. */
  number?: Localised;
}

/** What follows from a choice and is shown in every view. */
interface Shown {
  levels: ReturnType<typeof levelsInPercent>;
  notice: Localised;
  /** One per pick, in the same order. */
  reasons: readonly PickReasons[];
  /** One per pick, from 1: its place among all stocks that the run ranked. */
  ranks: readonly number[];
  /** With the regime of the market. */
  context: RowContext;
  empty: object | undefined;
}

/** The output of a screen that picks stocks on a trained market. Everything but the result is the same for all of them. */
export function picksOutput<
  N extends PickedStock,
  P extends RunParams,
  R extends { stock: N },
  StepName extends string,
>(
  input: Input,
  market: ResultMarket,
  choice: Choice<N, P, R, StepName>,
  resultOf: (shown: Shown) => Record<string, unknown>,
): ScreenOutput {
  const { panel, params } = input;
  const { day, asOf, model, origin } = market;
  const { selection, horizonDays, whyNone } = choice;
  const { stocks } = selection;
  const trace = { steps: selection.steps, names: selection.traces() };
  const regime = input.regime().regime[day]!;
  const said = notice(choice.number ?? chancesOf(stocks, market), winRecord(choice.quality), {
    caution: market.caution,
    missing: missingData(panel, day),
  });
  const result = resultOf({
    levels: levelsInPercent(params),
    notice: said,
    reasons: pickReasons(stocks, market),
    ranks: ranksOf(stocks, trace.names),
    context: { panel, day, regime, barriers: params },
    empty: stocks.length === 0 ? emptySelection(selection, asOf, whyNone()) : undefined,
  });
  const tickers = stocks.map(({ code }) => code);
  return {
    result,
    summary: summaryOf(asOf, tickers),
    record: picksToRecord(stocks, params, { horizonDays, regime }),
    explanation: explanationOf(input.features(), market, { ...choice, trace }, said, params),
    ...(model && { model }),
    ...(origin && { origin }),
  };
}

/** How the full view shows a choice. */
interface InFull<R> {
  /** `rank` is 1 for the best stock of the market. */
  row: (pick: R, rank: number, context: RowContext) => object;
  /** Facts about the run beside the counts of its funnel. */
  diag: (context: RowContext) => object;
  /** The values of parameters that the screen used instead of those that were sent. */
  effectiveParams?: Record<string, unknown>;
}

/** The output with the full view, which also shows the features behind each pick. */
export function fullPicksOutput<
  N extends PickedStock,
  P extends RunParams,
  R extends { stock: N },
  StepName extends string,
>(input: Input, market: ResultMarket, choice: Choice<N, P, R, StepName> & InFull<R>): ScreenOutput {
  const { modelId, selection, row, diag, effectiveParams, quality } = choice;
  return picksOutput(input, market, choice, ({ levels, notice, reasons: reasonsOf, ranks, context, empty }) =>
    fullViewOf(input.dataset, {
      modelId,
      asOf: market.asOf,
      fields: {
        pick_count: selection.picks.length,
        levels,
        ...(effectiveParams && { effective_params: effectiveParams }),
        df_result: selection.picks.map((pick, i) => {
          const { reasons, contributions, features } = reasonsOf[i]!;
          return { ...row(pick, ranks[i]!, context), reasons, contributions, ...features };
        }),
        model_quality: quality,
        notice,
        ...missingOf(input.panel, input.params),
      },
      diag: { ...selection.funnel, ...diag(context), model: market.description },
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

interface Explained {
  modelId: string;
  /** How far each name of the universe got. */
  trace: { steps: readonly { name: string }[]; names: NameTrace[] };
}

/** The explanation data of a run, with its model if it trained one. */
function explanationOf(
  table: FeatureTable,
  { asOf, day, trained, stocks, featuresOf }: ResultMarket,
  { modelId, trace }: Explained,
  said: Localised,
  { tickers: requested }: Requested,
): RunExplanation {
  const unbuyable = unbuyableNames(table, day);
  const outside = outsiders(table.panel, day, (ticker) => table.rowAt(ticker, day) !== -1);
  const narrowed = runExplanation({ modelId, asOf, notice: said, unbuyable, outside, requested, ...trace });
  if (!trained) return narrowed;
  return { ...narrowed, model: scoredNames(trained, stocks as readonly ScoredStock[], featuresOf) };
}

/** The rows that names were scored by. `stocks` are in the order of the explanation's names. */
function scoredNames(
  trained: TwoClassModel,
  stocks: readonly ScoredStock[],
  featuresOf: FeaturesOf,
): ScoredNames {
  const rows = Uint32Array.from(stocks, ({ row }) => row);
  const matrix = featuresOf(rows);
  return {
    ensemble: trained.ensemble,
    calibration: trained.calibration,
    features: matrix.names,
    values: matrix.values,
    baseRate: stocks[0]?.baseRate ?? 0,
    chance: Float32Array.from(stocks, ({ chance }) => chance),
    probability: Float64Array.from(stocks, ({ probability }) => probability),
  };
}

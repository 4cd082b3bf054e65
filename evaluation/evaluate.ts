import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { epochDayFromIso } from '#foundation/iso-day.ts';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { machineLine } from '../test/support/measuring/report.ts';
import type { Evaluation, ModelEvaluation, PickedWeek, PickEvaluation } from './evaluation.ts';
import {
  MAX_HORIZON_DAYS,
  modelUnderEvaluation,
  RECOVERY_HORIZONS,
  type PickModel,
  type RecoveryModel,
  paramsOfDay,
} from './models-under-evaluation.ts';
import type { PastRuns, PastRun } from './past-runs.ts';
import { type EvaluationProgress, RunLog } from './progress.ts';
import { RecoveryStudy } from './recovery-study.ts';
import { BOOTSTRAP, blockWeeks, blockResamples } from '#quant/statistics/block-bootstrap.ts';
import type { EvaluationSettings } from './settings.ts';
import type { ModelQuality } from '#quant/learning/validation/model-quality.ts';
import { isAboveFloors } from '#quant/universe/liquidity.ts';
import { dayOutcomes, type DealtName } from './day-outcomes.ts';
import { byLowerLimit, byRegime, byYear, type Moment } from './parts.ts';
import { chanceFigures, type Forecast } from './statistics/chance-figures.ts';
import { isSold, pickFigures, type PickWeek, universeOf } from '#quant/statistics/pick-figures.ts';
import { rankIc, type RankedForecast } from './statistics/rank-ic.ts';
import { MAX_SALE_WAIT_DAYS } from '#quant/labels/triple-barrier.ts';

/** The Monday before 1970-01-01, in days since then. */
const FIRST_MONDAY = -3;

type Study = PickStudy | RecoveryStudy;

/** A model with its studies, or the reason why there are none. */
interface Subject {
  model: PickModel | RecoveryModel;
  studies: Study[];
  reason?: string;
}

/** There is nothing to evaluate, for a reason that the user at the terminal can act on. */
export class NothingToEvaluate extends Error {
  override readonly name = 'NothingToEvaluate';
}

/**
 * Runs the models as of every week of the span, on the data known then, and compares the results with the outcomes.
 * @throws NothingToEvaluate when no week of the span has an outcome in the data
 */
export async function evaluate(
  runs: PastRuns,
  dataset: Dataset,
  settings: Pick<EvaluationSettings, 'from' | 'to' | 'modelIds'>,
  { progress, signal }: { progress: EvaluationProgress; signal: AbortSignal },
): Promise<Omit<Evaluation, 'command' | 'evaluated_at' | 'duration_seconds'>> {
  const { panel } = runs.market;
  const span = spanOf(panel.columns.dates, settings);
  const days = weeklyDays(panel.columns.dates, span);
  const subjects = settings.modelIds.map((id) => subjectOf(runs, dataset, id));
  const isJudged = (day: number, { knownAfterDays }: Study) => day + knownAfterDays < panel.dayCount;
  const tasks = days.flatMap((day) =>
    subjects.flatMap(({ studies }) =>
      studies.filter((study) => isJudged(day, study)).map((study) => ({ day, study })),
    ),
  );
  if (tasks.length === 0 && subjects.some(({ studies }) => studies.length > 0))
    throw new NothingToEvaluate(`No week from ${span.from} to ${span.to} has an outcome in the data.`);
  progress.expect(tasks.length);
  for (const { day, study } of tasks) {
    signal.throwIfAborted();
    const what = { date: panel.columns.dates[day]!, title: study.title };
    progress.begun(what);
    progress.done(what, await study.runAsOf(day));
  }
  return {
    format: 2,
    labels: labelsOf(dataset),
    machine: machineLine(),
    dataset: factsOf(dataset),
    span: { ...span, weeks: days.length },
    bootstrap: BOOTSTRAP,
    models: subjects.map(modelEvaluation),
  };
}

/** The requested span; by default the last year whose outcomes are all known. */
function spanOf(
  dates: readonly string[],
  { from, to }: { from: string | undefined; to: string | undefined },
): { from: string; to: string } {
  const isBefore = (date: string) => to === undefined || date <= to;
  const year = lastYearOf(to === undefined ? dates.slice(0, -MAX_HORIZON_DAYS) : dates.filter(isBefore));
  if (!year) throw new NothingToEvaluate('The data ends before any outcome is known.');
  return { from: from ?? year.from, to: to ?? year.to };
}

/** The year that ends with the last of these days, or as much of it as the data has; undefined without days. */
export function lastYearOf(dates: readonly string[]): { from: string; to: string } | undefined {
  const to = dates.at(-1);
  if (to === undefined) return undefined;
  const yearBefore = `${Number(to.slice(0, 4)) - 1}${to.slice(4)}`;
  return { from: dates.find((date) => date > yearBefore)!, to };
}

/**
 * Calendar indices of the last trading day of each week from `from` to `to` (YYYY-MM-DD, both included).
 * @param dates trading days, ascending
 */
export function weeklyDays(dates: readonly string[], { from, to }: { from: string; to: string }): number[] {
  const weeks = dates.map((date) => Math.floor((epochDayFromIso(date) - FIRST_MONDAY) / 7));
  return [...dates.keys()].filter((day) => {
    const isLastOfItsWeek = weeks[day] !== weeks[day + 1];
    return isLastOfItsWeek && dates[day]! >= from && dates[day]! <= to;
  });
}

function subjectOf(runs: PastRuns, dataset: Dataset, id: string): Subject {
  const model = modelUnderEvaluation(id);
  if (model.definition.brokerNeeds && dataset.broker_data === 'none')
    return { model, studies: [], reason: NO_BROKERS };
  const studies =
    model.kind === 'picks'
      ? [new PickStudy(runs, model)]
      : RECOVERY_HORIZONS.map((horizonDays) => new RecoveryStudy(runs, model, horizonDays));
  return { model, studies };
}

const NO_BROKERS =
  'Not runnable: it learns from what each broker bought and sold, and this dataset has no broker rows. ' +
  'SYNTHESIZE_BROKERS=1 runs it on made-up ones, which is labelled so.';

function modelEvaluation({ model, studies, reason }: Subject): ModelEvaluation {
  const { id: model_id, name } = model.definition;
  if (reason !== undefined) return { kind: 'not_evaluated', model_id, name, reason };
  const [first] = studies;
  if (first instanceof PickStudy) return first.evaluation();
  const horizons = studies.flatMap((study) => (study instanceof RecoveryStudy ? [study.evaluation()] : []));
  return { kind: 'recovery', model_id, name, classes: RETURN_BUCKETS, horizons };
}

function labelsOf({ kind, broker_data }: Dataset): string[] {
  const market = 'SYNTHETIC market: invented by a generator, no real stock is meant';
  const brokers = 'SYNTHETIC broker rows: made up by a generator to fit the bars';
  return [...(kind === 'synthetic' ? [market] : []), ...(broker_data === 'synthetic' ? [brokers] : [])];
}

function factsOf(dataset: Dataset): Evaluation['dataset'] {
  const { version, kind, source, broker_data, first_date, last_date, trading_days, tickers, bars } = dataset;
  return { version, kind, source, broker_data, first_date, last_date, trading_days, tickers, bars };
}

/** `unfilledCodes` are the codes of the picks that {@link PickWeek.unfilled} counts. */
type Week = PickWeek & Moment & { unfilledCodes: readonly string[] };

interface TrainedForecast extends Forecast, RankedForecast {
  outcome: DealtName;
}

/** Runs one model that picks stocks week after week and compares its picks with the outcomes. */
class PickStudy {
  readonly horizonDays: number;
  /** Trading days after which every position must have been sold. */
  readonly knownAfterDays: number;
  /** For the progress display. */
  readonly title: string;
  readonly #runs: PastRuns;
  readonly #model: PickModel;
  readonly #log = new RunLog();
  readonly #weeks: Week[] = [];
  readonly #weeksAtClose: Week[] = [];
  readonly #forecasts: TrainedForecast[][] = [];
  readonly #forecastsAboveFloors: TrainedForecast[][] = [];
  readonly #promises: { win_rate: number; payoff: number }[] = [];

  constructor(runs: PastRuns, model: PickModel) {
    this.#runs = runs;
    this.#model = model;
    this.title = model.definition.id;
    this.horizonDays = model.barriers.horizonDays;
    this.knownAfterDays = this.horizonDays + MAX_SALE_WAIT_DAYS;
  }

  /** Runs the model as of a day (calendar index) and returns the outcome in a word for the progress display. */
  async runAsOf(day: number): Promise<string> {
    const { panel, regime, features } = this.#runs.market;
    const { definition, params, barriers } = this.#model;
    const date = panel.columns.dates[day]!;
    const requested = {
      model_id: definition.id,
      analysis_date: date,
      view: 'full' as const,
      params: paramsOfDay(params, date),
    };
    const run = this.#log.note(date, await this.#runs.run(requested));
    if (!run) return 'failed';
    const { tickers } = run.summary;
    const names = dayOutcomes(features(), day, barriers);
    const moment = { date, regime: regime().regime[day]! };
    this.#weeks.push(this.#weekOf(moment, names, tickers));
    this.#weeksAtClose.push(this.#weekOf(moment, dayOutcomes(features(), day, barriers, 'close'), tickers));
    this.#noteChances(run, names);
    this.#notePromise(run, tickers.length);
    return String(tickers.length);
  }

  #weekOf(moment: Moment, names: readonly DealtName[], picked: readonly string[]): Week {
    const universe = names.filter((name) => isAboveFloors(name, this.#model.floors));
    const picks = picked.map((code) => this.#outcomeOf(universe, code, moment.date));
    const unfilled = picks.filter(({ filled }) => !filled);
    return {
      ...moment,
      picks: picks.filter(({ filled }) => filled),
      unfilled: unfilled.length,
      unfilledCodes: unfilled.map(({ code }) => code),
      universe: universeOf(universe.filter(({ filled }) => filled)),
    };
  }

  evaluation(): PickEvaluation {
    const { definition, params, barriers } = this.#model;
    const block_weeks = blockWeeks(this.horizonDays);
    const resamples = blockResamples(this.#weeks.length, { ...BOOTSTRAP, blockLength: block_weeks });
    const figuresOf = (belongs: (week: Week) => boolean) => pickFigures(this.#weeks, resamples, belongs);
    const forecasts = this.#forecasts.length === 0 ? null : this.#forecasts;
    const { analysis_date: _, ...judgedWith } = params;
    return {
      kind: 'picks',
      model_id: definition.id,
      name: definition.name,
      params: judgedWith,
      judged_by: {
        target_gain: barriers.targetGain,
        stop_loss: barriers.stopLoss,
        horizon_days: barriers.horizonDays,
      },
      runs: this.#log.facts,
      block_weeks,
      figures: figuresOf(() => true),
      figures_at_close: pickFigures(this.#weeksAtClose, resamples),
      by_year: byYear(this.#weeks, figuresOf),
      by_regime: byRegime(this.#weeks, figuresOf),
      by_lower_limit: byLowerLimit(this.#weeks, figuresOf),
      promised: meanPromise(this.#promises),
      rank_ic: forecasts && rankIc(this.#forecastsAboveFloors, resamples),
      chances: forecasts && chanceFigures(forecasts),
      chances_above_floors: forecasts && chanceFigures(this.#forecastsAboveFloors),
      weeks: this.#weeks.map(pickedWeek),
    };
  }

  #outcomeOf(universe: readonly DealtName[], code: string, date: string): DealtName {
    const name = universe.find((one) => one.code === code);
    if (!name) throw new Error(`${this.title} picked ${code} on ${date}, which its own floors refuse`);
    return name;
  }

  #noteChances({ trained }: PastRun, names: readonly DealtName[]): void {
    if (!trained) return;
    const outcomes = new Map(names.map((name) => [name.code, name]));
    const trainedForecasts = trained.stocks.flatMap(({ code, chance }) => {
      const outcome = outcomes.get(code);
      return outcome?.filled ? [{ chance, won: outcome.won, netReturn: outcome.netReturn, outcome }] : [];
    });
    this.#forecasts.push(trainedForecasts);
    const { floors } = this.#model;
    this.#forecastsAboveFloors.push(trainedForecasts.filter(({ outcome }) => isAboveFloors(outcome, floors)));
  }

  #notePromise({ result }: PastRun, picks: number): void {
    const quality = result['model_quality'] as ModelQuality | undefined;
    const { win_rate, payoff } = quality ?? {};
    if (picks === 0 || win_rate === undefined || payoff === undefined) return;
    this.#promises.push({ win_rate: win_rate / 100, payoff });
  }
}

function meanPromise(promises: readonly { win_rate: number; payoff: number }[]): PickEvaluation['promised'] {
  if (promises.length === 0) return null;
  const mean = (name: 'win_rate' | 'payoff') =>
    promises.reduce((sum, promise) => sum + promise[name], 0) / promises.length;
  return { win_rate: mean('win_rate'), payoff: mean('payoff') };
}

function pickedWeek({ date, regime, universe, picks, unfilledCodes }: Week): PickedWeek {
  const { names, winRate, meanNetReturn } = universe;
  return {
    date,
    regime,
    universe: { names, win_rate: winRate, net_return: meanNetReturn },
    picks: picks.map((pick) => ({
      ticker: pick.code,
      won: pick.won,
      net_return: isSold(pick) ? pick.netReturn : null,
    })),
    unfilled: [...unfilledCodes],
  };
}

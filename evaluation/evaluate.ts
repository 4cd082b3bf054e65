import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { machineLine } from '../test/bench/machine.ts';
import type { Evaluation, ModelEvaluation } from './evaluation.ts';
import {
  MAX_HORIZON_DAYS,
  modelUnderEvaluation,
  RECOVERY_HORIZONS,
  type PickModel,
  type RecoveryModel,
} from './models-under-evaluation.ts';
import type { PastRuns } from './past-runs.ts';
import { PickStudy } from './pick-study.ts';
import type { EvaluationProgress } from './progress.ts';
import { RecoveryStudy } from './recovery-study.ts';
import { BOOTSTRAP } from '#quant/statistics/resampling.ts';
import type { EvaluationSettings } from './settings.ts';
import { lastYearOf, weeklyDays } from './weekly-days.ts';

type Study = PickStudy | RecoveryStudy;

/** A model with what is studied of it, or why nothing is. */
interface Subject {
  model: PickModel | RecoveryModel;
  studies: Study[];
  reason?: string;
}

/** There is nothing to evaluate, for a reason that the person at the terminal can act on. */
export class NothingToEvaluate extends Error {
  override readonly name = 'NothingToEvaluate';
}

/**
 * Runs the models as of every week of the span, on what was known then, and judges them by what came.
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
  const isJudged = (day: number, { horizonDays }: Study) => day + horizonDays < panel.dayCount;
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

/** As asked for; otherwise the last year whose outcomes are all known. */
function spanOf(
  dates: readonly string[],
  { from, to }: { from: string | undefined; to: string | undefined },
): { from: string; to: string } {
  const isBefore = (date: string) => to === undefined || date <= to;
  const year = lastYearOf(to === undefined ? dates.slice(0, -MAX_HORIZON_DAYS) : dates.filter(isBefore));
  if (!year) throw new NothingToEvaluate('The data ends before any outcome is known.');
  return { from: from ?? year.from, to: to ?? year.to };
}

function subjectOf(runs: PastRuns, dataset: Dataset, id: string): Subject {
  const model = modelUnderEvaluation(id);
  if (model.definition.needsBrokerRows && dataset.broker_data === 'none')
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

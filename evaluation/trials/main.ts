/**
 * `make trials`: tries calibrations whose mean forecast follows the base rate of the newest outcomes, week after week, on the data
 * known then. docs/models.md has the results and the decision.
 */
import { MAX_SALE_WAIT_DAYS } from '#quant/labels/triple-barrier.ts';
import type { ScoredPast } from '#models/learnt/learnt-market.ts';
import { blockWeeks } from '#quant/statistics/block-bootstrap.ts';
import { withImportedMarket } from '../command.ts';
import { modelUnderEvaluation, paramsOfDay, type PickModel } from '../models-under-evaluation.ts';
import { PastRuns } from '../past-runs.ts';
import { percent, plain, withInterval } from '../report/numbers.ts';
import { markdown } from '../report/summary-table.ts';
import { weeklyDays } from '../weekly-days.ts';
import { type BaseRates, baseRates } from './base-rates.ts';
import { type Judged, judged } from './judge.ts';
import { type TrialDay, trialDay } from './trial-day.ts';
import { TRIALS } from './trials.ts';

/** 2021 and 2022 decide, 2023 confirms, and 2024 is reported. */
const SPAN = { from: '2021-01-01', to: '2024-06-28' };
const MODELS = ['regime_adaptive_v6', 'gann_classic_v7', 'gross_alpha_v10', 'model_f_combined'];

await withImportedMarket(async ({ dataset, sql, progress, signal }) => {
  let past: ScoredPast | undefined;
  const runs = await PastRuns.start(sql, dataset, (scored) => (past = scored));
  const { dates } = runs.market.panel.columns;
  const results = new Map<string, Judged[]>();
  const models = MODELS.map((id) => modelUnderEvaluation(id)).filter((model) => model.kind === 'picks');
  const weeks = weeklyDays(dates, SPAN);
  const daysOf = ({ barriers }: PickModel) =>
    weeks.filter((day) => day + barriers.horizonDays + MAX_SALE_WAIT_DAYS < dates.length);
  progress.expect(models.reduce((sum, model) => sum + daysOf(model).length, 0));
  for (const model of models) {
    const trialDays: TrialDay[] = [];
    for (const day of daysOf(model)) {
      signal.throwIfAborted();
      const what = { date: dates[day]!, title: model.definition.id };
      progress.begun(what);
      const { learnt } = await learntAsOf(runs, model, what.date);
      if (learnt) trialDays.push(trialDay(runs.market, model, learnt, past!));
      progress.done(what, learnt ? 'done' : 'failed');
    }
    tellRates(model, baseRates(trialDays, blockWeeks(model.barriers.horizonDays)));
    for (const trial of TRIALS)
      results.set(trial.name, [...(results.get(trial.name) ?? []), judged(trial, model, trialDays)]);
  }
  await runs.stop();
  report(results);
});

async function learntAsOf(runs: PastRuns, { definition, params }: PickModel, date: string) {
  const run = await runs.run({
    model_id: definition.id,
    analysis_date: date,
    view: 'full',
    params: paramsOfDay(params, date),
  });
  return 'failure' in run ? { learnt: undefined } : run;
}

function tellRates({ definition }: PickModel, { mean, autocorrelation, halfYear }: BaseRates): void {
  const lags = [...autocorrelation].map(([weeks, value]) => `${weeks}: ${plain(value)}`);
  console.log(
    `${definition.id}: ${percent(mean)} of stocks won; correlation of weeks by weeks between: ${lags.join(', ')};`,
    `standard deviation of half years ${percent(halfYear.standardDeviation)},`,
    `${percent(halfYear.shareBeyondBar)} of them beyond 2 points`,
  );
}

/** Calibration errors are means over the models. */
function report(results: ReadonlyMap<string, readonly Judged[]>): void {
  const [first] = results.values();
  const halfYears = [...first![0]!.chances.keys()];
  const errorOf = (models: readonly Judged[], halfYear: string) =>
    models.reduce((sum, { chances }) => sum + chances.get(halfYear)!.calibration_error!, 0) / models.length;
  const rows = [...results].map(([name, models]) => [
    name,
    ...halfYears.map((halfYear) => percent(errorOf(models, halfYear), 2)),
    ...models.map(({ picks }) => withInterval(picks.lift, plain)),
  ]);
  const lifts = MODELS.map((id) => `Lift of ${id} (95 %)`);
  console.log(markdown(['Trial', ...halfYears, ...lifts], rows).join('\n'));
}

/**
 * `make trials`: ways to rank the names of a day that might beat the one in use, on days that their models had not seen.
 * What came of them, and what was decided, stands in docs/models.md.
 */
import { checkDataset } from '#local/preflight.ts';
import { StartError } from '#local/start-error.ts';
import { isGivenUp, whenToldToStop } from '#local/stop-signals.ts';
import { Progress } from '#services/market-data/import/progress.ts';
import { HeldPanel, type LoadedPanel } from '#services/model-worker/held-panel.ts';
import { isAboveFloors } from '#screens/learnt/picks.ts';
import { systemClock } from '#shared/clock.ts';
import { ConfigError } from '#shared/config/config.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { dayOutcomes } from '../day-outcomes.ts';
import { importMarket } from '../imported-market.ts';
import { PrivateImporter } from '../private-importer.ts';
import { EvaluationProgress } from '../progress.ts';
import { percent, plain, withInterval } from '../report/numbers.ts';
import { markdown } from '../report/summary-table.ts';
import { readSettings } from '../settings.ts';
import { weeklyDays } from '../weekly-days.ts';
import { judged, type JudgedDay } from './judge.ts';
import { BARRIERS, TrialDay } from './trial-day.ts';
import { REGIME_TRIALS } from './regime-trials.ts';
import { type Trial, TRIALS } from './trials.ts';

/** What is decided on, and what confirms the decision once. */
const SPANS = [
  { name: 'decide', from: '2021-01-01', to: '2023-12-31' },
  { name: 'confirm', from: '2024-01-01', to: '2024-06-28' },
];
const FLOORS = { min_price: 200, min_daily_val: 5_000_000_000 };
/** Thousands of single trees: threads would wait for each other longer than they work. */
const TRAINER_THREADS = 1;

const stopSignal = whenToldToStop(() => process.exit(130));
const progress = new EvaluationProgress(process.stderr, () => performance.now());

try {
  const settings = readSettings();
  checkDataset(settings.dataset);
  progress.say('Starting a ClickHouse of its own …');
  const importer = await PrivateImporter.start(systemClock);
  try {
    const work = { progress: new Progress(), signal: stopSignal };
    const dataset = await importMarket(importer, settings, work);
    progress.say(`${dataset.version}: ${dataset.first_date} to ${dataset.last_date}`);
    const market = await new HeldPanel(importer.sql).load(dataset);
    for (const trials of [REGIME_TRIALS, TRIALS]) await tryAll(market, trials);
  } finally {
    await importer.stop();
  }
} catch (error) {
  if (isGivenUp(error, stopSignal)) process.exit(130);
  const isPlain = error instanceof StartError || error instanceof ConfigError;
  console.error(isPlain ? error.message : error);
  process.exit(1);
}

async function tryAll(market: LoadedPanel, trials: readonly Trial[]): Promise<void> {
  const trainer = await ThreadedTrainer.start(TRAINER_THREADS);
  const { dates } = market.panel.columns;
  const lastDay = market.panel.dayCount - 1 - BARRIERS.horizonDays;
  const results = new Map(trials.map(({ name }) => [name, [] as JudgedDay[]]));
  const span = { from: SPANS[0]!.from, to: SPANS.at(-1)!.to };
  const days = weeklyDays(dates, span).filter((day, week) => week % 2 === 0 && day <= lastDay);
  progress.expect(days.length);
  for (const day of days) {
    stopSignal.throwIfAborted();
    const what = { date: dates[day]!, title: 'trials' };
    progress.begun(what);
    const trialDay = new TrialDay(market.features(), trainer, day, market.regime().regime[day]!);
    const outcomes = new Map(dayOutcomes(market.features(), day, BARRIERS).map((one) => [one.code, one]));
    for (const trial of trials) {
      const scores = trial.scoresOf(trialDay);
      const names = [...trialDay.rows].flatMap((row, i) => {
        const code = market.panel.columns.tickers[trialDay.table.columns.ticker[row]!]!;
        const outcome = outcomes.get(code);
        return outcome && isAboveFloors(outcome, FLOORS) ? [{ score: scores[i]!, outcome }] : [];
      });
      const isOpen = trial.isOpen?.(trialDay) ?? true;
      results.get(trial.name)!.push({ date: dates[day]!, names, isOpen });
    }
    progress.done(what, 'done');
  }
  await trainer.stop();
  for (const span of SPANS) report(span, trials, results);
}

function report(
  { name, from, to }: (typeof SPANS)[number],
  trials: readonly Trial[],
  results: ReadonlyMap<string, JudgedDay[]>,
): void {
  const within = (days: readonly JudgedDay[]) => days.filter(({ date }) => date >= from && date <= to);
  const first = within(results.get(trials[0]!.name)!);
  console.log(`\n${name}: ${first.length} days, every second week from ${from} to ${to}\n`);
  const head = ['Trial', 'Days', 'Rank IC (95 %)', 'less that in use', 'Lift of ten', 'Net return a pick'];
  const rows = trials.map((trial) => {
    const figures = judged(within(results.get(trial.name)!), first, BARRIERS.horizonDays);
    return [
      trial.name,
      String(figures.open),
      withInterval(figures.ic, (value) => plain(value, 3)),
      withInterval(figures.icGain, (value) => plain(value, 3)),
      withInterval(figures.lift, plain),
      withInterval(figures.net, (value) => percent(value, 2)),
    ];
  });
  console.log(markdown(head, rows).join('\n'));
}

/**
 * `make trials`: tries ways to rank the names of a day that might beat the current one, on days that their models had not seen.
 * docs/models.md has the results and the decisions.
 */
import { MarketReader } from '#services/model-worker/market/market-reader.ts';
import { openMarket, type OpenMarket } from '#services/model-worker/market/shared-market.ts';
import { NothingToEvaluate } from '../evaluate.ts';
import { isAboveFloors } from '#quant/universe/liquidity.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { type ImportedMarket, withImportedMarket } from '../command.ts';
import { dayOutcomes } from '../day-outcomes.ts';
import { percent, plain, withInterval } from '../report/numbers.ts';
import { markdown } from '../report/summary-table.ts';
import { judged, type JudgedDay } from './judge.ts';
import { BARRIERS, TrialDay } from './trial-day.ts';
import { trialDays } from './trial-days.ts';
import { REGIME_TRIALS } from './regime-trials.ts';
import { type Trial, TRIALS } from './trials.ts';

/** The first span is for the decision, the second confirms it once. */
const SPANS = [
  { name: 'decide', from: '2021-01-01', to: '2023-12-31' },
  { name: 'confirm', from: '2024-01-01', to: '2024-06-28' },
];
const FLOORS = { min_price: 200, min_daily_val: 5_000_000_000 };
/** One, because trials train thousands of single trees: threads would wait for each other longer than they work. */
const TRAINER_THREADS = 1;
const SUITES: readonly (readonly Trial[])[] = [REGIME_TRIALS, TRIALS];

await withImportedMarket(async ({ dataset, sql, progress, signal }) => {
  const market = openMarket(await new MarketReader(sql).read(dataset));
  const span = { from: SPANS[0]!.from, to: SPANS.at(-1)!.to };
  const days = trialDays(market.panel.columns.dates, span, BARRIERS.horizonDays);
  if (days.length === 0)
    throw new NothingToEvaluate(
      `The data has no day from ${span.from} to ${span.to} that trials can be made on.`,
    );
  progress.expect(SUITES.length * days.length);
  for (const trials of SUITES) await tryAll(market, days, trials, { progress, signal });
});

async function tryAll(
  market: OpenMarket,
  days: readonly number[],
  trials: readonly Trial[],
  { progress, signal }: Pick<ImportedMarket, 'progress' | 'signal'>,
): Promise<void> {
  const trainer = await ThreadedTrainer.start(TRAINER_THREADS);
  const { dates } = market.panel.columns;
  const results = new Map(trials.map(({ name }) => [name, [] as JudgedDay[]]));
  for (const day of days) {
    signal.throwIfAborted();
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

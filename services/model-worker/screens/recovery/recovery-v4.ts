import { ForwardPaths } from '#quant/recovery/forward-path.ts';
import { longDate } from '#shared/indonesian.ts';
import { RunFailure } from '../run-failure.ts';
import { analysedDay } from '../analysed-day.ts';
import { leastDays } from '../learnt/learning-plan.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../screen.ts';
import { sortPositions, type SortedPositions } from './held-positions.ts';
import { learnRecovery, type LearntRecovery } from './learn-recovery.ts';
import { positionOutlook, type PositionOutlook } from './position-outlook.ts';
import type { RecoveryParams } from './recovery-params.ts';
import { MODEL_ID } from './recovery-plan.ts';
import { cautionOf } from './recovery-quality.ts';
import { recoveryRow } from './recovery-row.ts';

/** Model E: what may become of positions already held, each judged by what became of stocks like it. */
export const recoveryV4: Screen = { modelId: MODEL_ID, run };

async function run(input: ScreenInput): Promise<ScreenOutput> {
  const { horizon, positions } = input.params as unknown as RecoveryParams;
  if (positions.length === 0) {
    throw new RunFailure(
      'Belum ada posisi yang dimasukkan. Isi minimal satu saham beserta persentase untung/rugi atau harga beli rata-rata.',
    );
  }
  const day = analysedDay(input.panel, input.analysisDate, leastDays(horizon));
  const asOf = input.panel.columns.dates[day]!;
  const sorted = sortPositions(input.features(), day, positions);
  if (sorted.held.length === 0) throw noneJudged(sorted, asOf);
  const rows = Uint32Array.from(sorted.held, ({ tableRow }) => tableRow);
  const learnt = await learnRecovery(input, day, horizon, rows);
  const { panel } = input;
  const paths = new ForwardPaths(panel, horizon);
  const { analogs, quality } = learnt;
  const isSkilled = cautionOf(quality) === undefined;
  const market = { panel, day, horizonDays: horizon, paths, analogs, isSkilled };
  const outlooks = sorted.held.map((position, i) => positionOutlook(position, learnt.forecasts[i]!, market));
  const result =
    input.view === 'compact'
      ? compactView(outlooks, sorted, asOf, horizon)
      : fullView(input, outlooks, sorted, learnt, asOf);
  const tickers = outlooks.map(({ ticker }) => ticker);
  return {
    result,
    summary: { pick_count: outlooks.length, tickers, target_date: asOf },
    model: learnt.model,
  };
}

/** Reasons of the first few, so that the message stays readable. */
const MOST_REASONS = 3;

function noneJudged({ skipped }: SortedPositions, asOf: string): RunFailure {
  const reasons = skipped.slice(0, MOST_REASONS).map(({ ticker, reason }) => `${ticker}: ${reason}`);
  return new RunFailure(
    `Tidak ada posisi yang dapat dinilai pada ${longDate(asOf)}. ${reasons.join(' ')}${skipped.length > MOST_REASONS ? ' …' : ''}`,
  );
}

/** What the contract shows, and the positions that could not be judged when there are any. */
function compactView(
  outlooks: readonly PositionOutlook[],
  sorted: SortedPositions,
  asOf: string,
  horizonDays: number,
): Record<string, unknown> {
  return {
    model_id: MODEL_ID,
    view: 'compact',
    as_of: asOf,
    horizon_days: horizonDays,
    summary: countsOf(outlooks),
    positions: outlooks,
    ...skippedOf(sorted),
  };
}

function fullView(
  { dataset, params }: ScreenInput,
  outlooks: readonly PositionOutlook[],
  sorted: SortedPositions,
  { forecasts, quality, description }: LearntRecovery,
  asOf: string,
): Record<string, unknown> {
  const { horizon, positions } = params as unknown as RecoveryParams;
  return {
    model_id: MODEL_ID,
    view: 'full',
    as_of: asOf,
    target_date: asOf,
    horizon_days: horizon,
    pick_count: outlooks.length,
    summary: countsOf(outlooks),
    df_result: outlooks.map((outlook, i) => recoveryRow(outlook, forecasts[i]!)),
    ...skippedOf(sorted),
    model_quality: quality,
    diag: {
      total: positions.length,
      known: positions.length - sorted.unknown,
      evaluated: outlooks.length,
      final: outlooks.length,
      model: description,
      dataset_version: dataset.version,
      broker_data: dataset.broker_data,
    },
    dataset: { ...dataset, synthetic: dataset.kind === 'synthetic' },
  };
}

function skippedOf({ skipped }: SortedPositions): object {
  return skipped.length > 0 ? { skipped } : {};
}

function countsOf(outlooks: readonly PositionOutlook[]) {
  const count = (wanted: PositionOutlook['bucket']) =>
    outlooks.filter(({ bucket }) => bucket === wanted).length;
  return {
    total: outlooks.length,
    winners: count('winner'),
    neutral: count('neutral'),
    losers: count('loser'),
  };
}

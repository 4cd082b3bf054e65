import type { PositionOutlook, PriceLevel, RecoveryRow } from './result.ts';
import { ForwardPaths, shareBelowFloor } from '#quant/recovery/forward-path.ts';
import { joined, Localised, localised } from '#foundation/text/localised.ts';
import type { RunExplanation } from '../picks/run-explanation.ts';
import { REQUESTED } from '../picks/funnel.ts';
import { missingOf } from '../picks/missing-tickers.ts';
import { grouped, signedPercent } from '../results/display.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { fullViewOf } from '../results/full-view.ts';
import { analysedDay, RunFailure } from '../inputs/run-failure.ts';
import { type Screen, type ScreenInput, type ScreenOutput, summaryOf } from '../model/screen.ts';
import { type Forecast, learnRecovery, type TrainedRecovery } from './learning.ts';
import { positionOutlook } from './outlook.ts';
import { type RecoveryParams, ID, daysNeeded, whyHopeless } from './params.ts';
import { type SortedPositions, sortPositions } from './positions.ts';
import { missingData } from '../reasons/notice.ts';
import { cautionOf, forecastNotice } from './quality.ts';

/** Model E: forecasts for positions already held, each judged by what happened to similar stocks. */
export const screen: Screen<RecoveryParams> = { run };

async function run(input: ScreenInput<RecoveryParams>): Promise<ScreenOutput> {
  const { horizon, tickers: requested } = input.params;
  const hopeless = whyHopeless(input.params);
  if (hopeless) throw new RunFailure('no_positions', hopeless.reason);
  const day = analysedDay(input.panel, input.analysisDate, daysNeeded(input.params));
  const asOf = input.panel.columns.dates[day]!;
  const sorted = sortPositions(input.features(), day, input.params);
  if (sorted.held.length === 0) throw noneJudged(sorted, asOf);
  const rows = Uint32Array.from(sorted.held, ({ tableRow }) => tableRow);
  const trained = await learnRecovery(input, day, horizon, rows);
  const { panel } = input;
  const paths = new ForwardPaths(panel, horizon);
  const { analogs, quality } = trained;
  const said = forecastNotice(quality, horizon, missingData(panel, day));
  const isSkilled = cautionOf(quality) === undefined;
  const passing = shareBelowFloor(panel, day, horizon);
  const market = { panel, day, horizonDays: horizon, paths, analogs, isSkilled, shareBelowFloor: passing };
  const outlooks = sorted.held.map((position, i) => positionOutlook(position, trained.forecasts[i]!, market));
  const result =
    input.view === 'compact'
      ? compactView(input, outlooks, sorted, { ...trained, said }, asOf)
      : fullView(input, outlooks, sorted, { ...trained, said }, asOf);
  const tickers = outlooks.map(({ ticker }) => ticker);
  return {
    result,
    summary: summaryOf(asOf, tickers),
    explanation: { ...explanationOf(sorted, { ...trained, said }, asOf), ...(requested && { requested }) },
    model: trained.model,
    origin: trained.origin,
  };
}

/** What was trained, and the notice of it. */
type Said = TrainedRecovery & { said: Localised };

/** The trace of every position, by its ticker. */
function explanationOf(
  { held, skipped }: SortedPositions,
  { forecasts, said }: Said,
  asOf: string,
): RunExplanation {
  const judged = held.map(({ code }) => ({ ticker: code, fell: null, place: null }));
  const others = skipped.map(({ ticker, isRequested, isKnown }) => ({
    ticker,
    place: null,
    fell: { step: isRequested ? (isKnown ? 'evaluated' : 'known') : REQUESTED, shortfalls: [] },
  }));
  return {
    modelId: ID,
    asOf,
    steps: [
      'total',
      ...(skipped.some(({ isRequested }) => !isRequested) ? [REQUESTED] : []),
      'known',
      'evaluated',
      'final',
    ],
    names: [...judged, ...others],
    unbuyable: [],
    notice: said.in,
    positions: [
      ...forecasts.map(({ contributions, reasons }) => ({
        contributions,
        reasons: reasons.map((reason) => reason.in),
      })),
      ...others.map(() => null),
    ],
  };
}

/** Only the first few reasons are given, so that the message stays readable. */
const MAX_REASONS = 3;

function noneJudged({ skipped }: SortedPositions, asOf: string): RunFailure {
  const reasons = skipped
    .slice(0, MAX_REASONS)
    .map(({ ticker, reason }) => new Localised(`${ticker}: ${reason.in.id}`, `${ticker}: ${reason.in.en}`));
  const none = localised(
    ({ date }) => `Tidak ada posisi yang dapat dinilai pada ${date(asOf)}.`,
    ({ date }) => `No position could be judged on ${date(asOf)}.`,
  );
  const more = skipped.length > MAX_REASONS ? new Localised('…', '…') : undefined;
  return new RunFailure('no_positions', joined([none, ...reasons, more]));
}

/** The contract's fields, and the positions that could not be judged, if any. */
function compactView(
  { panel, params }: ScreenInput<RecoveryParams>,
  outlooks: readonly PositionOutlook[],
  sorted: SortedPositions,
  { forecasts, quality, said }: Said,
  asOf: string,
): Record<string, unknown> {
  const { horizon: horizonDays } = params;
  const caution = cautionOf(quality);
  return {
    model_id: ID,
    view: 'compact',
    as_of: asOf,
    horizon_days: horizonDays,
    summary: countsOf(outlooks),
    positions: outlooks.map((outlook, i) => ({ ...outlook, reasons: forecasts[i]!.reasons })),
    ...skippedOf(sorted),
    notice: said,
    ...(caution && { caution }),
    ...missingOf(panel, params),
  };
}

function fullView(
  { panel, dataset, params }: ScreenInput<RecoveryParams>,
  outlooks: readonly PositionOutlook[],
  sorted: SortedPositions,
  { forecasts, quality, description, said }: Said,
  asOf: string,
): Record<string, unknown> {
  const { horizon, positions } = params;
  return fullViewOf(dataset, {
    modelId: ID,
    asOf,
    fields: {
      horizon_days: horizon,
      pick_count: outlooks.length,
      summary: countsOf(outlooks),
      df_result: outlooks.map((outlook, i) => recoveryRow(outlook, forecasts[i]!)),
      ...skippedOf(sorted),
      model_quality: quality,
      notice: said,
      ...missingOf(panel, params),
    },
    diag: {
      total: positions.length,
      known: positions.length - sorted.unknown,
      evaluated: outlooks.length,
      final: outlooks.length,
      model: description,
    },
  });
}

function skippedOf({ skipped }: SortedPositions): object {
  return skipped.length > 0 ? { skipped: skipped.map(({ ticker, reason }) => ({ ticker, reason })) } : {};
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

/** A position of the full view: the numbers of the compact view formatted for display, followed by the raw features. */
function recoveryRow(
  position: PositionOutlook,
  { features, reasons, contributions }: Forecast,
): RecoveryRow & Record<string, unknown> {
  const { probabilities, trajectory, exit_window } = position;
  return {
    Ticker: position.ticker,
    Outlook: position.outlook,
    Bucket: position.bucket,
    'P/L': signedPercent(position.pnl_pct / 100),
    'Last Close': grouped(position.current_price),
    'Avg Price': grouped(position.avg_price),
    'Prob Up': percent(probabilities.up),
    'Prob Down': percent(probabilities.down),
    'Prob Neutral': percent(probabilities.neutral),
    CRASH: percent(trajectory.CRASH),
    DECLINE: percent(trajectory.DECLINE),
    SIDEWAYS: percent(trajectory.SIDEWAYS),
    CLIMB: percent(trajectory.CLIMB),
    RALLY: percent(trajectory.RALLY),
    'Restore Target': priceLevel(position.restore_target),
    'Support Level': priceLevel(position.support_level),
    'Exit Window': inDays(exit_window),
    Reason: position.reason,
    reasons,
    contributions,
    ...Object.fromEntries(Object.entries(features).map(([name, value]) => [name, toDecimals(value, 4)])),
  };
}

function inDays({ day_from, day_to }: PositionOutlook['exit_window']): Localised {
  return new Localised(
    `${day_from}-${day_to} hari`,
    `${day_from}-${day_to} ${day_to === 1 ? 'day' : 'days'}`,
  );
}

function percent(value: number): string {
  return `${value.toFixed(1)}%`;
}

function priceLevel({ price, change_pct }: PriceLevel): string {
  return `${grouped(price)} (${signedPercent(change_pct / 100)})`;
}

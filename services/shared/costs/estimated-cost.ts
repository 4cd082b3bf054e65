/*
 * What work costs, in milliseconds of processor time of one thread on a quiet machine, estimated before it begins. Nothing else estimates.
 * `make bench BENCH_PARTS=costs` holds the estimates against what the work costs.
 */

/** What the least request costs that has a cost: to be read, passed on and answered. */
export const LEAST_MS = 5;

/** A row of a stock that is read so that fields can be computed, however few days are wanted: once, and for each of the fields. */
const ROW_US = { once: 0.05, each: 0.03 };
/** A comparison for a stock and day; ranks take more. */
const TEST_US = 0.005;
/** A stock of a table of values. */
const LISTED_US = 0.1;
/** The random choices with which a past is compared. */
const JUDGED_MS = 300;
/** A position on a day of a simulation, in the account or in one of its draws. */
const POSITION_US = 0.03;
/** A run that reads, scores and answers; one that learns before. */
const RUN_MS = { scoring: 150, learning: 900 };

/** Days of a market, both included. */
interface Days {
  firstDay: number;
  lastDay: number;
}

/** Reading every stock of a market for columns that are computed together, before their values. */
export function readingMs(columns: number, stocks: number, marketDays: number): number {
  return ((ROW_US.once + ROW_US.each * columns) * stocks * marketDays) / 1_000;
}

/** Values of a field on every stock and day of a span. Those of a day read those of the days before it, and are little cheaper. */
export function columnMs(
  { computeUs, daysNeeded }: { computeUs: number; daysNeeded: number },
  stocks: number,
  { firstDay, lastDay }: Days,
): number {
  return (computeUs * stocks * (lastDay + 1 - Math.max(0, firstDay - daysNeeded))) / 1_000;
}

/** Rules on every stock and day of a span, once the columns that they read are computed. */
export function rulesMs(comparisons: number, stocks: number, { firstDay, lastDay }: Days): number {
  return (TEST_US * comparisons * stocks * (lastDay + 1 - firstDay)) / 1_000;
}

/** A table of what fields say of every stock on a day. */
export function tableMs(fields: number, stocks: number): number {
  return (LISTED_US * fields * stocks) / 1_000;
}

/** What came of the picks of rules, once these are evaluated. */
export function judgedMs(comparisons: number, stocks: number, days: Days): number {
  return rulesMs(comparisons, stocks, days) + JUDGED_MS;
}

/** A simulation of picks, with as many draws. */
export function simulationMs(of: { days: number; positions: number; draws: number }): number {
  return RUN_MS.scoring + (POSITION_US * of.days * of.positions * of.draws) / 1_000;
}

/** Runs of a model, each as of another day. */
export function runsMs(model: { learns: boolean }, days: number): number {
  return days * (model.learns ? RUN_MS.learning : RUN_MS.scoring);
}

import { Random } from '#quant/random.ts';
import type { CorporateAction } from './corporate-actions.ts';
import { STREAMS } from './streams.ts';

/** Shares of companies with each event in 1,000 days: enough for every kind to occur in a market of a few dozen. */
const IPO_SHARE = 0.06;
const DELISTED_SHARE = 0.02;
const DORMANT_SHARE = 0.08;
/** Three quarters of these have a price that suits a split or a reverse split. */
const REGROUPING_SHARE = 0.1;
const RIGHTS_SHARE = 0.04;
/** Companies that fall asleep or leave the exchange are below this rank of liquidity. */
const LESS_TRADED_RANK = 0.7;

/** The events of a company, which are planned by its liquidity. */
export interface PlannedEvents {
  /** 0..1, spread evenly over the companies of the planned days. */
  liquidityRank: number;
  /** First day with a row, and the day after the last, as indices into the calendar; Infinity if it never leaves. */
  firstDay: number;
  endDay: number;
  /** The day from which it no longer trades (long suspension); null for nearly all companies. */
  dormantFrom: number | null;
  /** By day. */
  actions: CorporateAction[];
}

/** Plans the events of the days that a market was planned for. */
export function planEvents(seed: number, plans: readonly PlannedEvents[], plannedDays: number): void {
  const random = new Random(seed, STREAMS.events);
  const dayWithin = (from: number, to: number) => Math.floor(plannedDays * random.between(from, to));
  const some = (share: number) => sample(random, plans, Math.round(plans.length * share));
  for (const plan of some(IPO_SHARE)) plan.firstDay = dayWithin(0.1, 0.85);
  const lessTraded = plans.filter(isLessTraded);
  const someOfLessTraded = (share: number) =>
    sample(random, lessTraded, Math.round(lessTraded.length * (share / LESS_TRADED_RANK)));
  for (const plan of someOfLessTraded(DORMANT_SHARE)) plan.dormantFrom = dayWithin(0.4, 0.97);
  for (const plan of someOfLessTraded(DELISTED_SHARE)) plan.endDay = dayWithin(0.88, 0.99);
  const act = (plan: PlannedEvents, kind: CorporateAction['kind']) =>
    plan.actions.push({ kind, day: dayWithin(0.1, 0.9), draw: random.uniform() });
  for (const plan of some(RIGHTS_SHARE)) act(plan, 'rights');
  for (const plan of some(REGROUPING_SHARE)) act(plan, 'regrouping');
}

/** Trading days of a window of later events: about a year. */
export const WINDOW_DAYS = 250;
/** The shares above count 1,000 days. */
const PART_OF_SHARES = WINDOW_DAYS / 1_000;

/**
 * Plans the events of one of the windows that follow the planned days, at the same rates, and returns the first day of each
 * company that lists in it. A window is planned as a whole before its first day, however much of it a market covers.
 * @param plans what was planned before this window
 */
export function planWindow(
  seed: number,
  plans: readonly PlannedEvents[],
  { window, firstDay }: { window: number; firstDay: number },
): number[] {
  const random = new Random(seed, STREAMS.laterEvents, window);
  const listed = plans.filter((plan) => plan.firstDay < firstDay && plan.endDay > firstDay);
  const lessTraded = listed.filter(isLessTraded);
  const someDay = () => firstDay + random.below(WINDOW_DAYS);
  const countOf = (share: number) => nearby(random, listed.length * share * PART_OF_SHARES);
  const listings = Array.from({ length: countOf(IPO_SHARE) }, someDay);
  for (const plan of sample(random, lessTraded, countOf(DORMANT_SHARE))) plan.dormantFrom ??= someDay();
  for (const plan of sample(random, lessTraded, countOf(DELISTED_SHARE))) plan.endDay = someDay();
  const act = (plan: PlannedEvents, kind: CorporateAction['kind']) =>
    plan.actions.push({ kind, day: someDay(), draw: random.uniform() });
  for (const plan of sample(random, listed, countOf(RIGHTS_SHARE))) act(plan, 'rights');
  for (const plan of sample(random, listed, countOf(REGROUPING_SHARE))) act(plan, 'regrouping');
  return listings;
}

function isLessTraded({ liquidityRank }: PlannedEvents): boolean {
  return liquidityRank < LESS_TRADED_RANK;
}

/** One of the two whole numbers around `expected`, so that the average is met also where the expected number is below one. */
function nearby(random: Random, expected: number): number {
  return Math.floor(expected + random.uniform());
}

/** A random sample of at most `count` plans. */
function sample(random: Random, plans: readonly PlannedEvents[], count: number): PlannedEvents[] {
  return Array.from(random.permutation(plans.length).subarray(0, count), (i) => plans[i]!);
}

import { epochDayFromIso } from '#foundation/iso-day.ts';
import { factorsOf, isAdjusting, UNCHANGED, type Factors, type StatedAction } from './corporate-action.ts';

/** A table may give the day of an announcement, or the exchange may publish the new reference price after a holiday. */
const MAX_DAYS_APART = 5;
/**
 * Reference prices are rounded to the tick, and sources round ratios. Of a small action half its size is too much, or it would be
 * confirmed by none.
 */
const SAME_FACTOR = 0.1;
const SAME_PART = 0.5;

/** A bar on which the reference price differs from the close before. */
export interface Detection {
  ticker: string;
  /** YYYY-MM-DD. */
  date: string;
  factors: Factors;
}

/** The first bar on or after the day of an action. */
interface FirstBar {
  date: string;
  /** 0 if the bar is the first one of its stock. */
  closeBefore: number;
}

export type ActionStatus =
  /** The table alone says so. */
  | 'stated'
  /** The table says what was detected. */
  | 'confirmed';

export interface MatchedAction {
  action: StatedAction;
  status: ActionStatus;
  /** The bar that it restates prices before; undefined if there is none yet, or if it restates nothing. */
  appliedOn?: string;
}

/** What applies on a bar instead of what was detected there. */
export interface StatedFactors {
  ticker: string;
  date: string;
  factors: Factors;
  /** What was detected there, which applies to everything as of a day before `knownOn`. */
  before: Factors;
  /** YYYY-MM-DD. */
  knownOn: string;
}

export interface Matches {
  actions: MatchedAction[];
  /** With the day from which on the table is known that overrules them. */
  overruled: (Detection & { knownOn: string })[];
  factors: StatedFactors[];
}

/**
 * Compares what a table states with what was detected. A stated action that is near a detection of its stock and that says about
 * the same confirms it; one that says something else overrules it. Where a stated action says how much, its word counts, and on
 * its own day unless it confirms what is seen on another one.
 *
 * @param actions in any order; those that are known only after `lastDate` are not used
 * @param firstBar of a stock and a day; undefined if the stock has no bar from that day on
 */
export function matchActions(
  actions: readonly StatedAction[],
  detections: readonly Detection[],
  {
    lastDate,
    firstBar,
  }: { lastDate: string; firstBar: (ticker: string, date: string) => FirstBar | undefined },
): Matches {
  const matches: Matches = { actions: [], overruled: [], factors: [] };
  const open = new Set(detections);
  const ofBars = new Map<string, StatedFactors>();
  for (const sameDay of byStockAndDay(actions)) {
    const used = sameDay.filter(({ kind, known_on }) => isAdjusting(kind) && known_on <= lastDate);
    matches.actions.push(
      ...sameDay
        .filter((action) => !used.includes(action))
        .map((action) => ({ action, status: 'stated' as const })),
    );
    if (used.length > 0) matchDay(used, { open, firstBar, matches, ofBars });
  }
  matches.factors.push(...ofBars.values());
  return matches;
}

/** Adjusting actions of one stock on one day are seen only together in its prices. */
function matchDay(
  actions: StatedAction[],
  to: {
    open: Set<Detection>;
    firstBar: (ticker: string, date: string) => FirstBar | undefined;
    matches: Matches;
    ofBars: Map<string, StatedFactors>;
  },
): void {
  const { ticker, ex_date } = actions[0]!;
  const bar = to.firstBar(ticker, ex_date);
  const stated = bar && bar.closeBefore > 0 ? productOf(actions, bar.closeBefore) : undefined;
  // Without bars for a while, a detection may be far from the day and yet on the bar that the action applies to.
  const detection = nearest(to.open, ticker, ex_date) ?? (bar && nearest(to.open, ticker, bar.date));
  if (detection) to.open.delete(detection);
  const knownOn = actions.map(({ known_on }) => known_on).reduce((a, b) => (a > b ? a : b));
  const isConfirmed = detection !== undefined && (stated === undefined || isAbout(detection.factors, stated));
  const status = isConfirmed ? 'confirmed' : 'stated';
  const appliedOn = isConfirmed ? detection.date : stated && bar!.date;
  to.matches.actions.push(
    ...actions.map((action) => ({ action, status, ...(appliedOn && { appliedOn }) }) as const),
  );
  if (!stated) return;
  if (detection && !isConfirmed) {
    to.matches.overruled.push({ ...detection, knownOn });
    restate(to.ofBars, {
      ticker,
      date: detection.date,
      factors: UNCHANGED,
      before: detection.factors,
      knownOn,
    });
  }
  if (!detection && isSame(stated, UNCHANGED)) return;
  const before = detection?.date === appliedOn ? detection!.factors : UNCHANGED;
  restate(to.ofBars, { ticker, date: appliedOn!, factors: stated, before, knownOn });
}

/** Adds what applies on a bar to what other actions have said about it. */
function restate(ofBars: Map<string, StatedFactors>, added: StatedFactors): void {
  const key = `${added.ticker} ${added.date}`;
  const known = ofBars.get(key);
  if (!known) return void ofBars.set(key, added);
  const isOnDetected = !isSame(known.before, UNCHANGED);
  ofBars.set(key, {
    ...added,
    factors: product(known.factors, added.factors),
    before: isOnDetected ? known.before : added.before,
    knownOn: known.knownOn > added.knownOn ? known.knownOn : added.knownOn,
  });
}

function productOf(actions: StatedAction[], closeBefore: number): Factors | undefined {
  const each = actions.map((action) => factorsOf(action, closeBefore));
  return each.some((factors) => factors === undefined)
    ? undefined
    : (each as Factors[]).reduce((all, factors) => product(all, factors));
}

function product(a: Factors, b: Factors): Factors {
  return { price: a.price * b.price, share: a.share * b.share };
}

function isSame(a: Factors, b: Factors): boolean {
  return a.price === b.price && a.share === b.share;
}

function isAbout(detected: Factors, stated: Factors): boolean {
  const tolerance = Math.min(SAME_FACTOR, SAME_PART * Math.abs(1 - stated.price));
  return stated.price !== 1 && Math.abs(detected.price / stated.price - 1) <= tolerance;
}

function nearest(detections: Iterable<Detection>, ticker: string, exDate: string): Detection | undefined {
  const apart = ({ date }: Detection) => Math.abs(epochDayFromIso(date) - epochDayFromIso(exDate));
  let found: Detection | undefined;
  for (const detection of detections) {
    if (detection.ticker !== ticker || apart(detection) > MAX_DAYS_APART) continue;
    if (!found || apart(detection) < apart(found)) found = detection;
  }
  return found;
}

function byStockAndDay(actions: readonly StatedAction[]): StatedAction[][] {
  return Object.values(Object.groupBy(actions, ({ ticker, ex_date }) => `${ex_date} ${ticker}`))
    .map((group) => group!)
    .toSorted(([a], [b]) => compare(`${a!.ex_date} ${a!.ticker}`, `${b!.ex_date} ${b!.ticker}`));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

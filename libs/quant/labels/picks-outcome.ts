import type { Panel } from '../panel/panel.ts';
import { type PickWeek, universeOf } from '../statistics/pick-figures.ts';
import { type Candidate, candidates, closedAtUpperLimit } from '../universe/candidates.ts';
import { type Floors, isAboveFloors } from '../universe/liquidity.ts';
import { lastDecidedDay, tripleBarrier, UNDECIDED, type Barriers, type Outcomes } from './triple-barrier.ts';

/**
 * State of a pick: `open` until the next trading day has come, `bought` until the position ends, then `won` at the target,
 * `lost` at the stop or `expired` at the horizon; `unfilled` when the order was not filled.
 */
export const PICK_STATES = ['open', 'bought', 'unfilled', 'won', 'lost', 'expired'] as const;
export type PickState = (typeof PICK_STATES)[number];

interface PickOutcome {
  ticker: string;
  state: PickState;
  /** Calendar index of the day on which the position ended or was not bought; undefined before. */
  exitDay: number | undefined;
  /** Net of costs, as a fraction of the price paid; undefined unless the position was bought and sold. */
  netReturn: number | undefined;
}

/** A run, as needed to judge it afterwards. */
export interface PickedDay {
  /** Calendar index. */
  day: number;
  tickers: readonly string[];
  barriers: Barriers;
  floors: Floors;
}

interface PickedDayOutcome {
  picks: PickOutcome[];
  /**
   * Outcomes of every name above the floors that could be bought. Undefined until every position must have been sold: targets
   * and stops are reached earlier than the horizon, so an earlier figure would be biased.
   */
  universe: PickWeek['universe'] | undefined;
}

/**
 * Outcomes of picks and of all names that they were chosen from, as known at the end of `lastDay`. A ticker without a bar on
 * the day stays open, because nothing is known about it.
 */
export function picksOutcome(
  panel: Panel,
  { day, tickers, barriers, floors }: PickedDay,
  lastDay: number,
  candidatesOf: (panel: Panel, day: number) => readonly Candidate[] = candidates,
): PickedDayOutcome {
  const picked = tickers.map((code) => rowOf(panel, panel.tickerIndex(code), day));
  const isOver = day <= lastDecidedDay(lastDay, barriers);
  const names = isOver ? namesOf(panel, day, candidatesOf(panel, day), floors) : [];
  const outcomes = (rows: readonly { ticker: number; panelRow: number }[]) =>
    tripleBarrier(panel, columnsOf(rows), barriers, lastDay);
  const known = picked.filter((row) => row !== undefined);
  const ofPicks = outcomes(known);
  return {
    picks: tickers.map((ticker, i) => {
      const row = picked[i];
      return { ticker, ...(row ? outcomeAt(ofPicks, known.indexOf(row)) : OPEN) };
    }),
    universe: isOver ? universeAmong(outcomes(names)) : undefined,
  };
}

const OPEN = { state: 'open', exitDay: undefined, netReturn: undefined } as const;

function rowOf(panel: Panel, ticker: number, day: number) {
  const panelRow = ticker < 0 ? -1 : panel.rowAt(ticker, day);
  return panelRow < 0 ? undefined : { ticker, panelRow };
}

/** Names above the floors that a reader could still buy. */
function namesOf(panel: Panel, day: number, names: readonly Candidate[], floors: Floors) {
  return names
    .filter((name) => isAboveFloors(name, floors))
    .map(({ ticker }) => ({ ticker, panelRow: panel.rowAt(ticker, day) }))
    .filter(({ ticker, panelRow }) => !closedAtUpperLimit(panel, ticker, panelRow));
}

function columnsOf(rows: readonly { ticker: number; panelRow: number }[]) {
  return { ticker: rows.map(({ ticker }) => ticker), panelRow: rows.map(({ panelRow }) => panelRow) };
}

function outcomeAt(
  { filled, won, stopped, exitDay, netReturn }: Outcomes,
  at: number,
): Omit<PickOutcome, 'ticker'> {
  if (exitDay[at] === UNDECIDED) return { ...OPEN, state: filled[at] ? 'bought' : 'open' };
  if (!filled[at]) return { ...OPEN, state: 'unfilled', exitDay: exitDay[at]! };
  const state = won[at] ? 'won' : stopped[at] ? 'lost' : 'expired';
  const isSold = !Number.isNaN(netReturn[at]!);
  return { state, exitDay: exitDay[at]!, netReturn: isSold ? netReturn[at]! : undefined };
}

function universeAmong({ filled, won, netReturn }: Outcomes): PickWeek['universe'] {
  const bought = Array.from(filled.keys()).filter((at) => filled[at] === 1);
  return universeOf(bought.map((at) => ({ won: won[at] === 1, netReturn: netReturn[at]! })));
}

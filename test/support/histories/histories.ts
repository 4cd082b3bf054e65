import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { Random } from '#quant/random.ts';
import { idxDayFile } from '../markets/idx-archive.ts';
import { LIES } from './lies.ts';
import { type Row, trueMarket, type TrueMarket } from './true-market.ts';

/** Some weeks of a market that lies, and a route by which they arrive. */
export interface History {
  seed: number;
  days: readonly string[];
  lies: readonly { kind: string; day: string }[];
  /** Of its last days, those that arrive one by one after all others, in this order. */
  apart: readonly string[];
  /** Whether what was told wrongly is told again in the end. What nobody can know to be wrong always is. */
  isRepaired: boolean;
}

/** A long market of many histories: an import costs as much for all of them as for one. */
export interface Chronicle {
  market: TrueMarket;
  histories: readonly History[];
}

/** What arrives at once, from one source. */
export interface Delivery {
  files: Record<string, string>;
  /** The rank of the source: 0 counts before 1, whose rows have fewer columns. */
  rank: 0 | 1;
  /** The days that the source may restate. */
  restates?: { from: string; to: string };
}

const DAYS = 25;
/** Days at the start that no lie is about: with fewer before it, nothing is unusual about a day. */
const QUIET_START = 8;

/** The same seeds give the same histories. */
export function chronicleOf(firstSeed: number, count: number): Chronicle {
  const market = trueMarket(firstSeed, count * DAYS, DAYS);
  const histories = Array.from({ length: count }, (_, i) =>
    historyOf(firstSeed + i, market.days.slice(i * DAYS, (i + 1) * DAYS), i === count - 1),
  );
  return { market, histories };
}

/** @param isNewest whether its last day is the newest one of all, about which there are rules of its own: it is never true */
function historyOf(seed: number, days: readonly string[], isNewest: boolean): History {
  const random = new Random(seed, 2);
  const last = days.slice(DAYS - random.below(4));
  const first = last.length === 0 ? QUIET_START : DAYS - 6;
  const places = [...random.permutation(DAYS - first)].map((place) => first + place);
  if (isNewest) places.unshift(DAYS - 1);
  // Who has neither of two neighbouring days cannot tell that one is the other.
  const alone = places.filter((place, i) => !places.slice(0, i).some((other) => Math.abs(other - place) < 2));
  const kinds = Object.keys(LIES);
  const lies = [...random.permutation(kinds.length)]
    .slice(0, Math.min(alone.length, 1 + random.below(3)))
    .map((kind, i) => ({ kind: kinds[kind]!, day: days[alone[i]!]! }));
  const isInTurn = random.chance(0.6) || lies.some(({ kind }) => kind === 'the day before again');
  const apart = isInTurn ? last : Array.from(random.permutation(last.length), (i) => last[i]!);
  return { seed, days, lies, apart, isRepaired: random.chance(0.6) };
}

/** What arrives when nobody lies: everything at once. */
export function trueDelivery({ days, rowsOf, actionTable }: TrueMarket): Delivery {
  return { files: filesOf(days.flatMap(rowsOf), actionTable), rank: 0 };
}

/** What arrives, in turn: the same step of all histories together. */
export function deliveriesOf({ market, histories }: Chronicle): Delivery[] {
  const arrivals = histories.flatMap((history) => arrivalsOf(market, history));
  const steps = [...Map.groupBy(arrivals, ({ step }) => step)].toSorted(([a], [b]) => a - b);
  // A company is renamed before all its rows are there, or after.
  const tableAt = histories[0]!.isRepaired ? 0 : steps.length - 1;
  return steps.map(([step, of], i): Delivery => {
    const rows = of.flatMap((arrival) => arrival.rows);
    const dates = rows.map(({ date }) => date).toSorted();
    const restates = step === RESTATED ? { restates: { from: dates[0]!, to: dates.at(-1)! } } : {};
    const files = filesOf(rows, i === tableAt ? market.actionTable : undefined);
    return { files, rank: of[0]!.rank, ...restates };
  });
}

function filesOf(rows: Row[], actionTable: string | undefined): Delivery['files'] {
  return { 'days.csv': idxDayFile(rows), ...(actionTable !== undefined && { 'actions.csv': actionTable }) };
}

/** The steps after all days. At step 0 arrives the whole market, to which the others are added. */
const [MISTAKES, REPAIRS, RESTATED] = [20, 21, 22] as const;

interface Arrival {
  step: number;
  rows: Row[];
  rank: 0 | 1;
}

function arrivalsOf(market: TrueMarket, { seed, days, lies, apart, isRepaired }: History): Arrival[] {
  const random = new Random(seed, 3);
  const arrivals: Arrival[] = [];
  const arrive = (step: number, rows: Row[] = [], rank: 0 | 1 = 0) =>
    rows.length > 0 && arrivals.push({ step, rows, rank });
  const closed = Object.keys(IDX_CALENDAR.facts.closures).findLast((day) => day < days.at(-1)!)!;
  for (const [i, day] of days.entries()) {
    const rows = market.rowsOf(day);
    const lie = LIES[lies.find((one) => one.day === day)?.kind ?? 'nothing'];
    const around = {
      older: market.rowsOf(days[2]!),
      before: market.rowsOf(days[Math.max(0, i - 1)]!),
      closed,
    };
    const { rows: own, other, mistake } = lie?.tell(rows, random, around) ?? { rows };
    const step = 2 * (apart.indexOf(day) + 1);
    arrive(step, own);
    arrive(step === 0 || !other?.isFirst ? step + 1 : step - 1, other?.rows, 1);
    arrive(MISTAKES, mistake);
    if (lie?.needs === 'the rows' && isRepaired) arrive(REPAIRS, rows);
    if (lie?.needs === 'a restatement') arrive(RESTATED, rows);
  }
  return arrivals;
}

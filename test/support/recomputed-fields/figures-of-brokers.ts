import { deviation, mean, orNull, percent, sum, sumOf, type Figure } from './arithmetic.ts';
import { foreignNet } from './figures-of-trading.ts';
import type { StockView } from './stock-view.ts';

/** A broker's trades in a stock on a day, as in the file of real rows. */
export interface CsvBrokerRow {
  date: string;
  broker: string;
  buyShares: number;
  buyValue: number;
  sellShares: number;
  sellValue: number;
}

export type BrokerClass = 'retail' | 'foreign' | 'bandar';

/** The gross rows of the regular market of a stock, and the class of each broker. */
export interface StockBrokers {
  rowsOn: (date: string) => readonly CsvBrokerRow[];
  classOf: (broker: string) => BrokerClass;
}

type OfDay = (rows: readonly CsvBrokerRow[]) => number;

const net = ({ buyValue, sellValue }: CsvBrokerRow) => buyValue - sellValue;
const bought: OfDay = (rows) => sumOf(rows, ({ buyValue }) => buyValue);
const sold: OfDay = (rows) => sumOf(rows, ({ sellValue }) => sellValue);

/** The rows of a stock up to a day. */
class BrokerView {
  readonly view: StockView;
  readonly #brokers: StockBrokers;

  constructor(view: StockView, brokers: StockBrokers) {
    this.view = view;
    this.#brokers = brokers;
  }

  /** Complete rows of a day: both sides agree, and within 1 % with the volume of the exchange. Else undefined. */
  rowsOn(date: string): readonly CsvBrokerRow[] | undefined {
    const rows = this.#brokers.rowsOn(date);
    const shares = sumOf(rows, ({ buyShares }) => buyShares);
    const volume = this.view.days.find((day) => day.date === date)?.volume ?? 0;
    const agrees =
      shares === sumOf(rows, ({ sellShares }) => sellShares) &&
      Math.abs(bought(rows) - sold(rows)) <= 2 * rows.length &&
      Math.abs(shares - volume) <= 0.01 * volume;
    return rows.length > 0 && bought(rows) > 0 && agrees ? rows : undefined;
  }

  dates(days: number, before = 0): readonly string[] {
    const { exchangeDays } = this.view;
    return exchangeDays.slice(0, exchangeDays.length - before).slice(-days);
  }

  /** Rows of the days that are known among the last exchange days, oldest first. */
  known(days: number, before = 0): (readonly CsvBrokerRow[])[] {
    return this.dates(days, before).flatMap((date) => {
      const rows = this.rowsOn(date);
      return rows ? [rows] : [];
    });
  }

  /** Whether rows of every traded day among the last exchange days are known. */
  isKnown(days: number): boolean {
    return this.view
      .window(days)
      .every(({ date, volume }) => volume === 0 || this.rowsOn(date) !== undefined);
  }

  of(wanted: BrokerClass): (rows: readonly CsvBrokerRow[]) => CsvBrokerRow[] {
    return (rows) => rows.filter(({ broker }) => this.#brokers.classOf(broker) === wanted);
  }

  netOf(wanted: BrokerClass): OfDay {
    return (rows) => sumOf(this.of(wanted)(rows), net);
  }
}

/** Shares of what was bought over a window: the amounts of its days over their turnover. */
const shareOf = (amountOf: OfDay) => (days: (readonly CsvBrokerRow[])[]) =>
  orNull(sumOf(days, amountOf) / sumOf(days, bought));
const percentOf = (amountOf: OfDay) => (days: (readonly CsvBrokerRow[])[]) =>
  percent(sumOf(days, amountOf) / sumOf(days, bought));

const descending = (values: number[]) => values.toSorted((a, b) => b - a);
const largestBuys =
  (count: number): OfDay =>
  (rows) =>
    sum(descending(rows.map(({ buyValue }) => buyValue)).slice(0, count));
const netBought: OfDay = (rows) => sumOf(rows, (row) => Math.max(0, net(row)));
const fiveLargest: OfDay = (rows) => {
  const nets = descending(rows.map(net));
  return (
    sumOf(nets.slice(0, 5), (one) => Math.max(0, one)) + sumOf(nets.slice(-5), (one) => Math.min(0, one))
  );
};
const churned: OfDay = (rows) => sumOf(rows, ({ buyValue, sellValue }) => Math.min(buyValue, sellValue));
/** Weighted by the turnover of the day. */
const breadth: OfDay = (rows) => (bought(rows) * sumOf(rows, (row) => Math.sign(net(row)))) / rows.length;
const concentrationGap: OfDay = (rows) =>
  bought(rows) *
  (sumOf(rows, ({ buyValue }) => (buyValue / bought(rows)) ** 2) -
    sumOf(rows, ({ sellValue }) => (sellValue / sold(rows)) ** 2));

function leaderOf(rows: readonly CsvBrokerRow[]): string | null {
  const [first] = rows.toSorted((a, b) => net(b) - net(a) || (a.broker < b.broker ? -1 : 1));
  return first && net(first) > 0 ? first.broker : null;
}

/** Days in a row with the same side of a class, at most 30 exchange days, unknown days skipped. */
function streak(view: BrokerView): Figure {
  const sides = view.known(30).map((rows) => Math.sign(view.netOf('bandar')(rows)));
  if (sides.length === 0) return null;
  const last = sides.at(-1)!;
  const other = sides.findLastIndex((side) => side !== last);
  return last * (sides.length - 1 - other);
}

/** The last close against what the class's net buyers of each day paid for a share, in the terms of the day. */
function entryGap(view: BrokerView): Figure {
  const { days, scales } = view.view;
  let [paid, shares] = [0, 0];
  for (const date of view.dates(20)) {
    const buyers = view
      .of('bandar')(view.rowsOn(date) ?? [])
      .filter((row) => net(row) > 0);
    const scale = scales[days.findIndex((day) => day.date === date)]?.price ?? 1;
    paid += bought(buyers);
    shares += sumOf(buyers, ({ buyShares }) => buyShares) / scale;
  }
  return percent((view.view.today.close * shares) / paid - 1);
}

/** Known days among the 20 before; with fewer than ten nobody's lead is usual. */
function newness(view: BrokerView): Figure {
  const leader = leaderOf(view.rowsOn(view.view.date) ?? []);
  const before = view.known(20, 1);
  if (leader === null || before.length < 10) return null;
  return percent(1 - before.filter((rows) => leaderOf(rows) === leader).length / before.length);
}

const USUAL_DAYS = 60;
const LEAST_USUAL_DAYS = 40;

/** How unusual five days of buying by local institutions and foreign investors are, less how unusual the return of these days is. */
function divergence(view: BrokerView): Figure {
  const { exchangeDays } = view.view;
  const first = Math.max(5, exchangeDays.length - USUAL_DAYS);
  const moves = exchangeDays
    .slice(first)
    .map((_, i) => moveOf(view, first + i))
    .filter((move) => move !== null);
  const last = moveOf(view, exchangeDays.length - 1);
  if (last === null || moves.length < LEAST_USUAL_DAYS) return null;
  const score = (of: (move: Move) => number) => {
    const values = moves.map(of);
    return (of(last) - mean(values)) / deviation(values, 0);
  };
  return orNull(score((move) => move.bought) - score((move) => move.return));
}

interface Move {
  bought: number;
  return: number;
}

/** Null when the stock was not listed before the five days, and when rows of a traded day are unknown. */
function moveOf(view: BrokerView, at: number): Move | null {
  const { exchangeDays, days } = view.view;
  const [from, to] = [exchangeDays[at - 5]!, exchangeDays[at]!];
  const [before, now] = [closeOn(view.view, from), closeOn(view.view, to)];
  const traded = days.filter(({ date, volume }) => date > from && date <= to && volume > 0);
  if (before === undefined || traded.some(({ date }) => view.rowsOn(date) === undefined)) return null;
  const amounts = traded.map((day) => foreignNet(day) + view.netOf('bandar')(view.rowsOn(day.date)!));
  return { bought: sum(amounts), return: now! / before - 1 };
}

/** The last close up to a day, in the terms of the view. */
function closeOn({ days, scales }: StockView, date: string): number | undefined {
  const at = days.findLastIndex((day) => day.date <= date);
  return at < 0 ? undefined : days[at]!.close * scales[at]!.price;
}

/** Null unless rows of every traded day of the window are known. */
const over =
  (days: number, figure: (days: (readonly CsvBrokerRow[])[]) => Figure) =>
  (view: BrokerView): Figure =>
    view.isKnown(days) ? figure(view.known(days)) : null;
const whereKnown = (days: number, figure: (view: BrokerView) => Figure) => (view: BrokerView) =>
  view.isKnown(days) ? figure(view) : null;
const netOver = (days: number, wanted: BrokerClass) =>
  whereKnown(days, (view) => sumOf(view.known(days), view.netOf(wanted)));

const FIGURES: Record<string, (view: BrokerView) => Figure> = {
  bandar_net_1d_idr: netOver(1, 'bandar'),
  bandar_net_5d_idr: netOver(5, 'bandar'),
  bandar_net_20d_idr: netOver(20, 'bandar'),
  retail_net_1d_idr: netOver(1, 'retail'),
  retail_net_5d_idr: netOver(5, 'retail'),
  retail_net_20d_idr: netOver(20, 'retail'),
  foreign_broker_net_5d_idr: netOver(5, 'foreign'),
  foreign_broker_net_20d_idr: netOver(20, 'foreign'),
  retail_net_5d_pct: whereKnown(5, (view) => percentOf(view.netOf('retail'))(view.known(5))),
  bandar_buy_days_20d_pct: whereKnown(20, (view) => {
    const nets = view.known(20).map(view.netOf('bandar'));
    return percent(nets.filter((one) => one > 0).length / nets.length);
  }),
  bandar_streak_days: whereKnown(1, streak),
  bandar_entry_gap_20d_pct: whereKnown(20, entryGap),
  top5_buyer_share_1d_pct: over(1, percentOf(largestBuys(5))),
  top5_buyer_share_5d_pct: over(5, percentOf(largestBuys(5))),
  top1_buyer_share_1d_pct: over(1, percentOf(largestBuys(1))),
  top1_buyer_share_5d_pct: over(5, percentOf(largestBuys(1))),
  accum_score_1d: over(1, (days) => percent(sumOf(days, fiveLargest) / sumOf(days, netBought))),
  accum_score_5d: over(5, (days) => percent(sumOf(days, fiveLargest) / sumOf(days, netBought))),
  broker_breadth_5d_pct: over(5, percentOf(breadth)),
  hhi_gap_5d: over(5, shareOf(concentrationGap)),
  broker_churn_5d_pct: over(5, percentOf(churned)),
  top_buyer: (view) => leaderOf(view.rowsOn(view.view.date) ?? []),
  top_buyer_newness_20d_pct: newness,
  smart_money_divergence_60d: whereKnown(1, divergence),
};

export const BROKER_FIGURES: readonly string[] = Object.keys(FIGURES);

/** Every field of the group brokers. */
export function figuresOfBrokers(view: StockView, brokers: StockBrokers): Record<string, Figure> {
  const own = new BrokerView(view, brokers);
  return Object.fromEntries(Object.entries(FIGURES).map(([name, figure]) => [name, figure(own)]));
}

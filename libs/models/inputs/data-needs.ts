import type { DaySpan } from '#quant/panel/ranges.ts';
import { MIN_BARS } from '#quant/universe/candidates.ts';
import { localised, type Localised } from '#foundation/text/localised.ts';
import { type LearningDays, MIN_ROWS, mostRows } from './history.ts';

/** A span of days in which a model needs broker rows. */
export interface BrokerSpan {
  name: Localised;
  days: DaySpan;
}

/** The broker rows that a model needs. */
export interface BrokerNeeds<P = Record<string, unknown>> {
  /** Least share of the daily trades of liquid stocks with broker rows, in percent, in each of the spans. */
  leastPct: number;
  /** The spans of a run that analyses `day` (calendar index). */
  spans(this: void, params: P, day: number): BrokerSpan[];
}

/** The data that a model needs, by the parameters of a run. */
export interface DataNeeds {
  /** Trading days that a run with these parameters needs, up to and including the analysed day. */
  leastDays(this: void, params: Record<string, unknown>): number;
  /** The days that a run with these parameters learns from; undefined if it learns nothing. Absent if no run learns. */
  learnsFrom?(this: void, params: Record<string, unknown>): LearningDays | undefined;
  /** Absent if it can run on a dataset without broker rows. */
  brokerNeeds?: BrokerNeeds;
}

/** What a dataset has of the data that models need. */
export interface AvailableData {
  /** All trading days, YYYY-MM-DD, ascending. */
  dates: readonly string[];
  /** Number of stocks. */
  stocks: number;
  /** First and last day with broker rows, YYYY-MM-DD. Undefined without broker rows. */
  brokerDates: { first: string; last: string } | undefined;
}

/**
 * Why a run of the model that analyses the last trading day on or before `date` could not complete on such data. Undefined if
 * nothing is known to be missing. Stocks and broker rows are counted at best, because only a run knows which stocks are liquid.
 */
export function shortfallOf(
  { leastDays, learnsFrom, brokerNeeds }: DataNeeds,
  params: Record<string, unknown>,
  { dates, stocks, brokerDates }: AvailableData,
  date: string,
): Localised | undefined {
  const day = dates.findLastIndex((tradingDay) => tradingDay <= date);
  const tooShort =
    historyShortfall(dates, day, date, leastDays(params)) ??
    stockShortfall(stocks, day, learnsFrom?.(params));
  if (tooShort || !brokerNeeds) return tooShort;
  for (const { name, days } of brokerNeeds.spans(params, day)) {
    // No stock is liquid before it has traded on this many days.
    const known = dates.slice(Math.max(days.firstDay, MIN_BARS - 1), days.lastDay + 1);
    const covered = known.filter((tradingDay) => isWithin(tradingDay, brokerDates));
    const span = { name, first: dates[days.firstDay]!, last: dates[days.lastDay]! };
    if (100 * covered.length >= brokerNeeds.leastPct * known.length) continue;
    const coveredPct = Math.floor((1000 * covered.length) / known.length) / 10;
    return brokerShortfall(span, coveredPct, brokerNeeds.leastPct);
  }
  return undefined;
}

function isWithin(day: string, dates: AvailableData['brokerDates']): boolean {
  return dates !== undefined && day >= dates.first && day <= dates.last;
}

/**
 * Why the days up to `day` (calendar index of the last trading day on or before `date`) are too few. Undefined if they are
 * enough.
 */
export function historyShortfall(
  dates: readonly string[],
  day: number,
  date: string,
  leastDays: number,
): Localised | undefined {
  if (day + 1 >= leastDays) return undefined;
  const first = dates[leastDays - 1];
  return first === undefined
    ? localised(
        () =>
          `Data yang tersedia baru ${dates.length} hari bursa, sedangkan model memerlukan ${leastDays} hari.`,
        () => `There are only ${dates.length} trading days of data, and the model needs ${leastDays}.`,
      )
    : localised(
        (id) =>
          `Tanggal analisis ${id.date(date)} terlalu awal. Data yang cukup tersedia mulai ${id.date(first)}.`,
        (en) =>
          `The day of analysis, ${en.date(date)}, is too early. There is enough data from ${en.date(first)} on.`,
      );
}

/** Why so few stocks give a run of `day` (calendar index) too little to learn from. Undefined if they may be enough. */
function stockShortfall(
  stocks: number,
  day: number,
  learning: LearningDays | undefined,
): Localised | undefined {
  if (!learning) return undefined;
  const most = mostRows(stocks, day, learning);
  if (most >= MIN_ROWS) return undefined;
  return localised(
    ({ plain }) =>
      `Data untuk belajar terlalu sedikit: paling banyak ${plain(most)} contoh dari ${plain(stocks)} saham, sedangkan model memerlukan ${plain(MIN_ROWS)}.`,
    ({ plain }) =>
      `There is too little data to learn from: at most ${plain(most)} examples (stocks: ${plain(stocks)}), and the model needs ${plain(MIN_ROWS)}.`,
  );
}

/** Why broker rows that cover this share of a span are too few. `first` and `last` are its days, YYYY-MM-DD. */
export function brokerShortfall(
  { name, first, last }: { name: Localised; first: string; last: string },
  coveredPct: number,
  leastPct: number,
): Localised {
  return localised(
    ({ date, oneDecimal, plain }) =>
      'Data broker belum lengkap untuk tanggal ini, jadi model tidak dapat dijalankan. ' +
      `Pada ${name.in.id} ${date(first)} sampai ${date(last)}, data broker ` +
      `baru mencakup ${oneDecimal(coveredPct)}% transaksi harian saham likuid, sedangkan model ` +
      `memerlukan ${plain(leastPct)}%.`,
    ({ date, oneDecimal, plain }) =>
      'The broker data for this day is not complete, so that the model cannot run. ' +
      `In ${name.in.en}, ${date(first)} to ${date(last)}, broker data covers ` +
      `${oneDecimal(coveredPct)}% of the daily trades of liquid stocks, and the model ` +
      `needs ${plain(leastPct)}%.`,
  );
}

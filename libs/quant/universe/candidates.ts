import { priceLimits, REGULAR_FLOOR_IDR, upperLimit } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';
import { averageDailyValue, referencePrice } from '../panel/windows.ts';
import { TrailingValue } from './liquidity.ts';

/** Trading days of data that a model needs for its first analysed day, and traded bars that a stock needs to be a candidate. */
export const MIN_BARS = 120;
const RECENT_DAYS = 20;
const MIN_RECENT_TRADED = 18;

/** A stock that a model may pick. */
export interface Candidate {
  ticker: number;
  code: string;
  /** Close of the analysed day, IDR. */
  close: number;
  /** Mean traded value of the last 20 exchange days, IDR. */
  averageValue: number;
}

/**
 * Every stock that was tradable on `day` (calendar index): it traded on that day and on at least 18 of the last 20, has at
 * least 120 traded bars, and does not look like a stock of the special boards. The caller applies floors of price and value.
 * `tradableRows` applies the same rule to every day of a ticker and must give the same result.
 */
export function candidates(panel: Panel, day: number): Candidate[] {
  const { close, tickers } = panel.columns;
  return outsideOn(panel, day).flatMap((reason, ticker) => {
    const averageValue = reason ? null : averageDailyValue(panel, ticker, day, RECENT_DAYS);
    if (averageValue === null) return [];
    return [{ ticker, code: tickers[ticker]!, close: close[panel.rowAt(ticker, day)]!, averageValue }];
  });
}

/**
 * Why a stock is outside a universe, in order of precedence. `too_small`: it is a candidate, but too little of it is traded
 * for the universe.
 */
export const OUTSIDE = ['untraded', 'short_history', 'rarely_traded', 'special_board', 'too_small'] as const;
export type Outside = (typeof OUTSIDE)[number];

/**
 * The codes of the stocks with a row up to `day` that are outside a universe on it, by cause. The universe has the candidates
 * that `isLarge` accepts.
 */
export function outsiders(
  panel: Panel,
  day: number,
  isLarge: (ticker: number) => boolean = () => true,
): Record<Outside, string[]> {
  const found = Object.fromEntries(OUTSIDE.map((why) => [why, [] as string[]])) as Record<Outside, string[]>;
  const reasons = outsideOn(panel, day);
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const why = reasons[ticker] ?? (isLarge(ticker) ? undefined : 'too_small');
    const isKnown = panel.endRow(ticker, day) > panel.firstRow(ticker);
    if (why && isKnown) found[why].push(panel.columns.tickers[ticker]!);
  }
  return found;
}

/** Of the day of each market that was asked for last: the runs on a market mostly ask for its newest. */
const asked = new WeakMap<Panel, { day: number; reasons: readonly (Outside | undefined)[] }>();

/** Why each ticker is no candidate on a day. */
function outsideOn(panel: Panel, day: number): readonly (Outside | undefined)[] {
  const known = asked.get(panel);
  if (known?.day === day) return known.reasons;
  const reasons = panel.columns.tickers.map((_, ticker) => whyOutside(panel, ticker, day));
  asked.set(panel, { day, reasons });
  return reasons;
}

/** Why a stock is no candidate on a day; undefined for a candidate. */
export function whyOutside(panel: Panel, ticker: number, day: number): Outside | undefined {
  const row = panel.rowAt(ticker, day);
  if (row < 0 || panel.columns.volume[row] === 0) return 'untraded';
  if (!hasEnoughBars(panel, ticker, row)) return 'short_history';
  const recent = recentTradedRows(panel, ticker, day);
  if (recent.length < MIN_RECENT_TRADED) return 'rarely_traded';
  return looksLikeSpecialBoard(panel, recent) ? 'special_board' : undefined;
}

/**
 * Whether a row of a ticker closed at the highest price allowed on its day, on the board that its last 20 days show; no candidate looks
 * like one of a special board. Then there are hardly any sellers left: of 1,777 such closes of liquid names of 2019 to 2024, 93 % had no
 * offer, and 29 % of those could not be bought on the next day within 1 %, against 1 % of all others.
 */
export function closedAtUpperLimit(panel: Panel, ticker: number, row: number): boolean {
  const { close, dates, day } = panel.columns;
  const [price, reference, date] = [close[row]!, referencePrice(panel, row), dates[day[row]!]!];
  const [regular, special] = [upperLimit(reference, date), priceLimits(reference, date, 'special').upper];
  if (price < Math.min(regular, special)) return false;
  const marks = marksOf(panel, recentTradedRows(panel, ticker, day[row]!));
  return price >= (marks.keepNarrowLimits ? special : regular);
}

function recentTradedRows(panel: Panel, ticker: number, day: number): number[] {
  const { volume } = panel.columns;
  const rows: number[] = [];
  for (let row = panel.endRow(ticker, day - RECENT_DAYS); row < panel.endRow(ticker, day); row++) {
    if (volume[row]! > 0) rows.push(row);
  }
  return rows;
}

function hasEnoughBars(panel: Panel, ticker: number, lastRow: number): boolean {
  const { volume } = panel.columns;
  let traded = 0;
  for (let row = lastRow; row >= panel.firstRow(ticker); row--) {
    if (volume[row]! > 0 && ++traded >= MIN_BARS) return true;
  }
  return false;
}

/**
 * A bar whose high equals its low suggests an auction. On the regular boards fewer than half of a month's bars are like that.
 */
const ONE_PRICE_SHARE = 0.5;
/** Number of days that end exactly at the narrow limit, while none goes beyond it, that suggests a special board. */
const NARROW_LIMIT_DAYS = 2;
/**
 * From 40 IDR up, the narrow limit, rounded inwards to a tick, is always further from the reference price than this fraction.
 */
const WITHIN_ANY_LIMIT = 0.05;

/** What one bar reveals about its board, as bits of a mark. */
const UNDER_FLOOR = 1;
const ONE_PRICE = 2;
const AT_NARROW_LIMIT = 4;
const BEYOND_NARROW_LIMIT = 8;
const UNKNOWN_REFERENCE = 16;

/**
 * Whether the last bars look like those of the watch-list (full call auction) or acceleration board. The listing contains the
 * boards of one day only, and using them for the past would be look-ahead. So this uses what could be seen at the time:
 * prices below the regular floor of 50, bars of one price, or days that stop exactly at the 10 % limit with none beyond it.
 * On real bars of liquid names it finds four of five acceleration stocks, and misclassifies about 1 % of regular stocks as
 * special.
 *
 * `rows` are panel rows with volume, ascending.
 */
export function looksLikeSpecialBoard(panel: Panel, rows: readonly number[]): boolean {
  return marksOf(panel, rows).lookSpecial === true;
}

function marksOf(panel: Panel, rows: readonly number[]): BoardMarks {
  const marks = new BoardMarks();
  for (const row of rows) marks.add(boardMark(panel, row));
  return marks;
}

/** The mark of a panel row with volume, as counted by {@link BoardMarks}. */
function boardMark(panel: Panel, row: number): number {
  const { high, low, day, dates } = panel.columns;
  const [highest, lowest, reference] = [high[row]!, low[row]!, referencePrice(panel, row)];
  if (lowest < REGULAR_FLOOR_IDR) return UNDER_FLOOR;
  const onePrice = highest === lowest ? ONE_PRICE : 0;
  if (Number.isNaN(reference)) return onePrice | UNKNOWN_REFERENCE;
  if (highest < reference * (1 + WITHIN_ANY_LIMIT) && lowest > reference * (1 - WITHIN_ANY_LIMIT))
    return onePrice;
  const date = dates[day[row]!]!;
  const { lower, upper } = priceLimits(reference, date, 'special');
  if (highest > upper || lowest < lower) return onePrice | BEYOND_NARROW_LIMIT;
  // While both boards have the same lower limit, stopping there says nothing about the board.
  const stopsBelow = lowest === lower && lower !== priceLimits(reference, date, 'regular').lower;
  return highest === upper || stopsBelow ? onePrice | AT_NARROW_LIMIT : onePrice;
}

/** Counts of the marks in a sliding window of bars. */
class BoardMarks {
  #bars = 0;
  #underFloor = 0;
  #onePrice = 0;
  #atLimit = 0;
  #beyond = 0;
  #unknown = 0;

  add(mark: number): void {
    this.#count(mark, 1);
  }

  remove(mark: number): void {
    this.#count(mark, -1);
  }

  /** Undefined where it depends on reference prices that no source says. Models then take the bars for those of a regular board. */
  get lookSpecial(): boolean | undefined {
    return this.#onePrice >= this.#bars * ONE_PRICE_SHARE || this.keepNarrowLimits;
  }

  /** The same without days of one price, which a stock that hardly trades has on any board. */
  get keepNarrowLimits(): boolean | undefined {
    if (this.#underFloor > 0) return true;
    if (this.#beyond > 0 || this.#atLimit + this.#unknown < NARROW_LIMIT_DAYS) return false;
    return this.#unknown === 0 ? true : undefined;
  }

  #count(mark: number, step: 1 | -1): void {
    this.#bars += step;
    if (mark & UNDER_FLOOR) this.#underFloor += step;
    if (mark & ONE_PRICE) this.#onePrice += step;
    if (mark & AT_NARROW_LIMIT) this.#atLimit += step;
    if (mark & BEYOND_NARROW_LIMIT) this.#beyond += step;
    if (mark & UNKNOWN_REFERENCE) this.#unknown += step;
  }
}

/** In place of 0 and 1, where the reference prices do not show which limits apply. */
export const UNKNOWN_LIMITS = 2;

/**
 * For each traded row of a ticker, 1 where the limits of the special boards seem to apply: the stock traded under the regular floor
 * in the last 20 days, or stopped at those limits and never went beyond. Of 827 stocks that traded on 2024-06-28 none did so outside
 * the limits that follow, and 130 outside those of the regular boards.
 */
export function narrowLimitRows(panel: Panel, traded: Uint32Array): Uint8Array {
  const { day } = panel.columns;
  const marks = Uint8Array.from(traded, (row) => boardMark(panel, row));
  const recent = new BoardMarks();
  let oldest = 0;
  return marks.map((mark, bar) => {
    recent.add(mark);
    for (; day[traded[oldest]!]! <= day[traded[bar]!]! - RECENT_DAYS; oldest++) recent.remove(marks[oldest]!);
    return Number(recent.keepNarrowLimits ?? UNKNOWN_LIMITS);
  });
}

/** The days on which a ticker was tradable. Both arrays have one entry for each day, ascending. */
interface TradableRows {
  /** Index into the traded rows. */
  bar: Uint32Array;
  /** Mean traded value of the last 20 exchange days, IDR. */
  averageValue: Float64Array;
  /** 1 where reference prices that no source says leave open whether the board is a special one. */
  isUncertain: Uint8Array;
}

/**
 * Every day for which `candidates` returns the ticker (index), in one pass over its `traded` rows. The result for a day
 * depends only on rows up to that day. The rule is implemented twice because model D reads only one day: computing all days
 * would take it some 35 ms, `candidates` takes 5 ms. A property test checks that both agree.
 */
export function tradableRows(panel: Panel, ticker: number, traded: Uint32Array): TradableRows {
  const { day } = panel.columns;
  const average = new TrailingValue(panel, ticker);
  const marks = new Uint8Array(traded.length);
  const recent = new BoardMarks();
  const bars = new Uint32Array(traded.length);
  const averageValue = new Float64Array(traded.length);
  const isUncertain = new Uint8Array(traded.length);
  let [oldest, count] = [0, 0];
  for (let bar = 0; bar < traded.length; bar++) {
    const today = day[traded[bar]!]!;
    marks[bar] = boardMark(panel, traded[bar]!);
    recent.add(marks[bar]!);
    for (; day[traded[oldest]!]! <= today - RECENT_DAYS; oldest++) recent.remove(marks[oldest]!);
    const value = average.upTo(today);
    const isTradedEnough = bar + 1 >= MIN_BARS && bar + 1 - oldest >= MIN_RECENT_TRADED;
    if (!isTradedEnough || recent.lookSpecial) continue;
    isUncertain[count] = Number(recent.lookSpecial === undefined);
    bars[count] = bar;
    averageValue[count++] = value;
  }
  return {
    bar: bars.subarray(0, count),
    averageValue: averageValue.subarray(0, count),
    isUncertain: isUncertain.subarray(0, count),
  };
}

import {
  DateDay,
  makeVector,
  Table,
  Utf8,
  vectorFromArray,
  type RecordBatch,
  type Vector,
} from 'apache-arrow';
import fc from 'fast-check';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { PanelBuilder, type ListingEntry } from '#market-reader/panel-builder.ts';
import { ROW_COLUMN_NAMES, ROW_COLUMN_TYPES, type PanelColumns, type TermsColumns } from './panel-columns.ts';
import { Panel } from './panel.ts';
import { cumFactorAt, cumShareFactorAt, factorAt, TermsBuilder } from './adjustment-factors.ts';

const { day: _, ...OF_BARS } = ROW_COLUMN_TYPES;
const NUMBERS = { ...OF_BARS, factor: Float64Array, share_factor: Float64Array };

/** A row for tests. By default its numbers follow from `close`, its open and bid are not stated, and the day has no corporate action. */
export interface BarFixture extends Partial<Record<keyof typeof NUMBERS, number>> {
  ticker: string;
  date: string;
  close: number;
}

function completed(bar: BarFixture): Required<BarFixture> {
  const { close, volume = 1_000, high = close, low = close, previous = close } = bar;
  return {
    open: Math.max(low, Math.min(high, previous)),
    high,
    low,
    previous,
    volume,
    value: close * volume,
    frequency: volume > 0 ? 1 : 0,
    foreign_buy: 0,
    foreign_sell: 0,
    nego_volume: 0,
    nego_value: 0,
    nego_frequency: 0,
    listed_shares: 1_000_000,
    bid: NaN,
    factor: 1,
    share_factor: 1,
    ...bar,
  };
}
type DateEncoding = 'date32' | 'uint16';

/** One Arrow batch of the `market.daily_bar` columns. */
export function barBatch(
  bars: readonly BarFixture[],
  tickerEncoding: 'dictionary' | 'utf8' = 'dictionary',
  dateEncoding: DateEncoding = 'date32',
): RecordBatch {
  const rows = bars.map(completed);
  const tickers = rows.map((row) => row.ticker);
  const days = rows.map((row) => epochDayFromIso(row.date));
  const columns: Record<string, Vector> = {
    ticker: tickerEncoding === 'utf8' ? vectorFromArray(tickers, new Utf8()) : vectorFromArray(tickers),
    date:
      dateEncoding === 'uint16'
        ? makeVector(Uint16Array.from(days))
        : makeVector({ type: new DateDay(), data: Int32Array.from(days) }),
  };
  for (const [name, type] of Object.entries(NUMBERS)) {
    columns[name] = makeVector(type.from(rows.map((row) => row[name as keyof typeof NUMBERS])));
  }
  return new Table(columns).batches[0]!;
}

/** The bars of a stock on consecutive days, as if there were no weekends. */
export function dailyBars(
  count: number,
  barOf: (day: number) => Partial<BarFixture> & { close: number },
  { ticker = 'AAAA', from = '2024-01-01' } = {},
): BarFixture[] {
  const first = epochDayFromIso(from);
  return Array.from({ length: count }, (_, day) => ({
    ticker,
    date: isoFromEpochDay(first + day),
    ...barOf(day),
  }));
}

/** A panel from rows in (ticker, date) order. */
export function panelOf(bars: readonly BarFixture[], listing: readonly ListingEntry[] = []): Panel {
  const builder = new PanelBuilder(bars.length);
  if (bars.length > 0) builder.append(barBatch(bars));
  return new Panel(builder.finish(listing));
}

/** The factors of every row: its own, the running product, and the running product for shares. */
export function factorsOf({ terms, day }: PanelColumns): Record<'own' | 'price' | 'share', number[]> {
  const rows = [...day.keys()];
  return {
    own: rows.map((row) => factorAt(terms, row)),
    price: rows.map((row) => cumFactorAt(terms, row)),
    share: rows.map((row) => cumShareFactorAt(terms, row)),
  };
}

/** The same panel with this number in every column and factor of each row after a day (calendar index). */
export function poisonedPanel({ columns }: Panel, lastDay: number, poison: number): Panel {
  const poisoned = { ...columns, terms: termsPoisonedAfter(columns, lastDay, poison) };
  for (const name of ROW_COLUMN_NAMES.filter((each) => each !== 'day')) {
    const column = columns[name].slice();
    for (const [row, day] of columns.day.entries()) if (day > lastDay) column[row] = poison;
    Object.assign(poisoned, { [name]: column });
  }
  return new Panel(poisoned);
}

function termsPoisonedAfter(columns: PanelColumns, lastDay: number, poison: number): TermsColumns {
  const { own, price, share } = factorsOf(columns);
  const terms = new TermsBuilder(own.length);
  for (const [row, day] of columns.day.entries()) {
    if (day > lastDay) terms.append(poison, poison, poison);
    else terms.append(own[row]!, price[row]!, share[row]!);
  }
  return terms.finish();
}

const DAY_ZERO = epochDayFromIso('2024-01-01');

/** Small random markets in (ticker, date) order, with gaps, suspended days, late listings and corporate actions. */
export const arbitraryBars: fc.Arbitrary<BarFixture[]> = fc
  .uniqueArray(fc.stringMatching(/^[A-Z]{3,5}$/), { minLength: 1, maxLength: 5 })
  .chain((tickers) => fc.tuple(...tickers.sort().map(arbitraryBarsOf)))
  .map((perTicker) => perTicker.flat());

function arbitraryBarsOf(ticker: string): fc.Arbitrary<BarFixture[]> {
  const bar = fc.record({
    close: fc.integer({ min: 50, max: 20_000 }),
    volume: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 })),
    nego_value: fc.integer({ min: 0, max: 1_000_000 }),
    action: fc.oneof({ weight: 8, arbitrary: fc.constant('none') }, fc.constantFrom('split', 'rights')),
  });
  const dayAndBar = fc.tuple(fc.integer({ min: 0, max: 40 }), bar);
  return fc
    .uniqueArray(dayAndBar, { selector: ([day]) => day, minLength: 1, maxLength: 30 })
    .map((pairs) => pairs.sort(([a], [b]) => a - b))
    .map((pairs) =>
      pairs.map(([day, { close, volume, nego_value, action }]) => ({
        ticker,
        date: isoFromEpochDay(DAY_ZERO + day),
        close,
        volume,
        nego_value,
        foreign_buy: Math.floor(volume / 3),
        foreign_sell: Math.floor(volume / 4),
        factor: action === 'split' ? 0.5 : action === 'rights' ? 0.9 : 1,
        share_factor: action === 'split' ? 0.5 : 1,
      })),
    );
}

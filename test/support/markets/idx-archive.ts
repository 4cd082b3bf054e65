import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';

/** Header of the exchange's daily files, in the form that users import. */
export const IDX_HEADER =
  'date,previous,open_price,first_trade,high,low,close,change,volume,value,frequency,index_individual,offer,' +
  'offer_volume,bid,bid_volume,listed_shares,tradeble_shares,weight_for_index,foreign_sell,foreign_buy,' +
  'delisting_date,non_regular_volume,non_regular_value,non_regular_frequency';
export const LISTING_HEADER = 'code,name,listingDate,shares,listingBoard';

type Field = string | number;

/** A day of the exchange's file. Missing fields follow from the close, as on an ordinary day of 1,000 shares. */
export interface IdxDay {
  date: string;
  close: Field;
  previous?: Field;
  open_price?: Field;
  high?: Field;
  low?: Field;
  volume?: Field;
  value?: Field;
  frequency?: Field;
  bid?: Field;
  listed_shares?: Field;
  foreign_sell?: Field;
  foreign_buy?: Field;
  non_regular_volume?: Field;
  non_regular_value?: Field;
  non_regular_frequency?: Field;
}

export function idxLine(day: IdxDay): string {
  const { close, volume = 1_000 } = day;
  const traded = Number(volume) > 0;
  const fields: Record<string, Field> = {
    previous: close,
    open_price: 0,
    first_trade: 0,
    high: traded ? close : 0,
    low: traded ? close : 0,
    change: 0,
    volume,
    value: traded ? Number(close) * Number(volume) : 0,
    frequency: traded ? 10 : 0,
    listed_shares: 1_000_000,
    foreign_sell: 0,
    foreign_buy: 0,
    non_regular_volume: 0,
    non_regular_value: 0,
    non_regular_frequency: 0,
    ...day,
  };
  return IDX_HEADER.split(',')
    .map((column) =>
      typeof fields[column] === 'number' ? fields[column].toFixed(1) : (fields[column] ?? ''),
    )
    .join(',');
}

/** A file of one ticker. */
export function idxFile(days: (IdxDay | string)[]): string {
  return [IDX_HEADER, ...days.map((day) => (typeof day === 'string' ? day : idxLine(day))), ''].join('\n');
}

/** A file of one day for many tickers. The ticker is a column at index `place`. */
export function idxDayFile(rows: (IdxDay & { ticker: string })[], column = 'ticker', place = 0): string {
  const lines = rows.map((row) => idxLine(row).split(',').toSpliced(place, 0, row.ticker).join(','));
  return [IDX_HEADER.split(',').toSpliced(place, 0, column).join(','), ...lines, ''].join('\n');
}

/** Consecutive weekdays from `first`, without those on which the exchange was closed. */
export function weekdays(first: string, count: number): string[] {
  const days: string[] = [];
  for (
    const day = new Date(`${first}T00:00:00Z`);
    days.length < count;
    day.setUTCDate(day.getUTCDate() + 1)
  ) {
    const date = day.toISOString().slice(0, 10);
    if (IDX_CALENDAR.isTradingDay(date)) days.push(date);
  }
  return days;
}

/** A tar of these files, given by path. */
export async function tarOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of archive as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function tarGzOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  return gzipSync(await tarOf(files));
}

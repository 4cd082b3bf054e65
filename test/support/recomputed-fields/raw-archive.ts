import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REAL_ARCHIVE, realFiles } from '../real-market/real-archive.ts';

const EXCHANGE_DAYS = path.join(path.dirname(REAL_ARCHIVE), 'idx_trading_days.txt');

/** Positions of the columns in the exchange's files. */
const COLUMNS = {
  previous: 1,
  open: 2,
  high: 4,
  low: 5,
  close: 6,
  volume: 8,
  value: 9,
  trades: 10,
  listedShares: 16,
  foreignSell: 19,
  foreignBuy: 20,
  negoVolume: 22,
  negoValue: 23,
} as const;

/** A line of an exchange file of a day on which the exchange was open. */
export type RawDay = { date: string } & Record<keyof typeof COLUMNS, number>;

export interface RawStock {
  ticker: string;
  /** Oldest first. */
  days: RawDay[];
  /** Lines of other days, which are tests of the exchange's systems. */
  refused: RawDay[];
}

interface RawListing {
  board: string;
  listedOn: string;
  sector?: string;
}

export interface RawArchive {
  /** Every file by its path. */
  files: Record<string, string>;
  /** The file of each stock. */
  bars: Map<string, string>;
  listing: Map<string, RawListing>;
  /** Days on which the exchange was open, as far as the files reach. */
  exchangeDays: string[];
}

/** Reads the files of the real archive as they are, or those of these tickers up to a day. */
export async function readRawArchive(tickers?: string[], until?: string): Promise<RawArchive> {
  const files = await realFiles(tickers, until);
  const bars = new Map<string, string>();
  for (const [path, csv] of Object.entries(files)) {
    const ticker = /bars\/(\w+)\.csv$/.exec(path)?.[1];
    if (ticker !== undefined) bars.set(ticker, csv);
  }
  const lists = Object.entries(files).filter(([path]) => path.includes('/listing/'));
  return { files, bars, listing: listingOf(lists), exchangeDays: exchangeDaysOf(bars) };
}

/** The exchange was open until the newest day of a stock that is traded every day. */
function exchangeDaysOf(bars: ReadonlyMap<string, string>): string[] {
  const [first] = bars.values();
  const newest = /(\S{10})[^\n]*$/.exec((bars.get('BBCA') ?? first!).trim())![1]!;
  const days = readFileSync(EXCHANGE_DAYS, 'utf8').trim().split('\n');
  return days.map((line) => line.slice(0, 10)).filter((date) => date <= newest);
}

function listingOf(lists: [path: string, csv: string][]): RawArchive['listing'] {
  const listing: RawArchive['listing'] = new Map();
  for (const [path, csv] of lists) {
    const sector = /Sectors\/(.+)\.csv$/.exec(path)?.[1];
    for (const line of csv.trim().split('\n').slice(1)) {
      const fields = line.trim().split(',');
      const [board, , date] = fields.toReversed() as [string, string, string];
      const known = listing.get(fields[0]!);
      listing.set(fields[0]!, {
        board,
        listedOn: date.slice(0, 10),
        ...(known?.sector !== undefined && { sector: known.sector }),
        ...(sector !== undefined && { sector }),
      });
    }
  }
  return listing;
}

/** The numbers of a stock's file. */
export function rawStock(ticker: string, csv: string, exchangeDays: ReadonlySet<string>): RawStock {
  const [days, refused]: [RawDay[], RawDay[]] = [[], []];
  for (const line of csv.trim().split('\n').slice(1)) {
    const fields = line.split(',');
    const numbers = Object.entries(COLUMNS).map(([name, column]) => [name, Number(fields[column])] as const);
    const day = { date: fields[0]!.slice(0, 10), ...Object.fromEntries(numbers) } as RawDay;
    if (exchangeDays.has(day.date)) days.push(day);
    else refused.push(day);
  }
  return { ticker, days, refused };
}

/** The numbers of a stock of an archive. */
export function stockOf({ bars, exchangeDays }: RawArchive, ticker: string): RawStock {
  return rawStock(ticker, bars.get(ticker)!, new Set(exchangeDays));
}

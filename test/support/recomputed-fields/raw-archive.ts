import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REAL_ARCHIVE, realFiles } from '../real-market/real-archive.ts';

const EXCHANGE_DAYS = path.join(path.dirname(REAL_ARCHIVE), 'idx_trading_days.txt');

/** A line of an exchange file of a day on which the exchange was open. */
export interface RawDay {
  date: string;
  previous: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  value: number;
  trades: number;
  listedShares: number;
  foreignSell: number;
  foreignBuy: number;
  negoVolume: number;
  negoValue: number;
}

/** A line of any other day, which is a test of the exchange's systems. */
interface RefusedDay {
  date: string;
  close: number;
}

export interface RawStock {
  ticker: string;
  /** Oldest first. */
  days: RawDay[];
  refused: RefusedDay[];
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

/** The numbers of a stock's file, by the positions of their columns in the header of the exchange's files. */
export function rawStock(ticker: string, csv: string, exchangeDays: ReadonlySet<string>): RawStock {
  const [days, refused]: [RawDay[], RefusedDay[]] = [[], []];
  for (const line of csv.trim().split('\n').slice(1)) {
    const fields = line.split(',');
    const date = fields[0]!.slice(0, 10);
    const at = (column: number) => Number(fields[column]);
    if (exchangeDays.has(date)) days.push(rawDay(date, at));
    else refused.push({ date, close: at(6) });
  }
  return { ticker, days, refused };
}

const rawDay = (date: string, at: (column: number) => number): RawDay => ({
  date,
  previous: at(1),
  open: at(2),
  high: at(4),
  low: at(5),
  close: at(6),
  volume: at(8),
  value: at(9),
  trades: at(10),
  listedShares: at(16),
  foreignSell: at(19),
  foreignBuy: at(20),
  negoVolume: at(22),
  negoValue: at(23),
});

/** The numbers of a stock of an archive. */
export function stockOf({ bars, exchangeDays }: RawArchive, ticker: string): RawStock {
  return rawStock(ticker, bars.get(ticker)!, new Set(exchangeDays));
}

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { epochDayFromIso } from '#foundation/iso-day.ts';
import { idxDayFile } from './idx-archive.ts';
import type { Rest } from '../rest/rest.ts';
import { saring } from '../fleets/saring-cli.ts';

export interface Stock {
  ticker: string;
  close: number;
}

interface Listed {
  as_of: string;
  stocks: { ticker: string }[];
}
type Quotes = Record<string, { close: number; date: string }>;

/** The stocks that were traded on the last trading day: a day with clearly fewer counts as partial. For markets of up to 50 stocks. */
export async function stocksOfLastDay(rest: Rest): Promise<Stock[]> {
  const { body: listed } = await rest.get<Listed>('/api/v1/data/stocks?status=listed');
  const tickers = listed.stocks.map(({ ticker }) => ticker).join(',');
  const { body } = await rest.get<{ quotes: Quotes }>(`/api/v1/data/quotes?tickers=${tickers}`);
  return Object.entries(body.quotes)
    .filter(([, { date }]) => date === listed.as_of)
    .map(([ticker, { close }]) => ({ ticker, close }));
}

/** Shares traded on a day: others than on any day near it, because a day that repeats another one is refused. */
export const volumeOn = (date: string) => 1_000 + (epochDayFromIso(date) % 1_000);

/** Writes a file with the next trading day of these stocks, like the one that an operator imports in the evening. */
export async function fileOfNextDay(lastDate: string, stocks: Stock[], folder: string): Promise<string> {
  const date = IDX_CALENDAR.nextTradingDay(lastDate);
  const volume = volumeOn(date);
  const file = path.join(folder, 'day.csv');
  await writeFile(file, idxDayFile(stocks.map(({ ticker, close }) => ({ ticker, close, date, volume }))));
  return file;
}

/** Adds such a file to the generated market of a fleet, as its operator does, with further options. Returns the new version. */
export async function addDay(stateDir: string, file: string, ...more: string[]): Promise<Dataset> {
  const words = ['import', file, '--add', '--kind', 'synthetic', '--json', ...more];
  const { code, stdout, stderr } = await saring(stateDir, 'dataset', ...words);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as ImportOutcome).dataset!;
}

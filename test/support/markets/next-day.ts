import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { idxDayFile } from './idx-archive.ts';
import type { Rest } from '../fleets/rest.ts';
import { saring } from '../fleets/saring-cli.ts';

export interface Stock {
  ticker: string;
  close: number;
}

/** The stocks that were traded on the last trading day. */
export async function stocksOfLastDay(rest: Rest): Promise<Stock[]> {
  return (await rest.get<{ items: Stock[] }>('/api/v1/data/nego?min_val=0&top_n=100')).body.items;
}

/** Writes a file with the next weekday of these stocks, like the one that an operator imports in the evening. */
export async function fileOfNextDay(lastDate: string, stocks: Stock[], folder: string): Promise<string> {
  const next = new Date(`${lastDate}T00:00:00Z`);
  do next.setUTCDate(next.getUTCDate() + 1);
  while (next.getUTCDay() % 6 === 0);
  const date = next.toISOString().slice(0, 10);
  const file = path.join(folder, 'day.csv');
  await writeFile(file, idxDayFile(stocks.map(({ ticker, close }) => ({ ticker, close, date }))));
  return file;
}

/** Adds such a file to the generated market of a fleet, as its operator does. Returns the new version. */
export async function addDay(stateDir: string, file: string): Promise<Dataset> {
  const words = ['import', file, '--add', '--kind', 'synthetic', '--json'];
  const { code, stdout, stderr } = await saring(stateDir, 'dataset', ...words);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as ImportOutcome).dataset!;
}

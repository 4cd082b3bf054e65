import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { REPOSITORY } from '../repository.ts';

const DATA = path.join(REPOSITORY, '../shared/data');

/** Real bars and broker rows are not part of the project. Tests that read them are skipped where they are missing. */
export const REAL_ARCHIVE = path.join(DATA, 'idx-daily.tar.gz');
export const REAL_BROKER_ROWS = path.join(DATA, 'broker_rows.csv.gz');

/** The files of these tickers by path, or of all, without days after `until` (YYYY-MM-DD), and the files of the listing. */
export async function realFiles(tickers?: string[], until?: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const archive = extract();
  archive.on('entry', ({ name, type }, content, next) => {
    const ticker = /bars\/(\w+)\.csv$/.exec(name)?.[1];
    if (type !== 'file' || (ticker !== undefined && tickers?.includes(ticker) === false)) {
      content.resume().once('end', next);
      return;
    }
    void text(content).then((read) => {
      files[name] = ticker === undefined || until === undefined ? read : daysUntil(read, until);
      next();
    }, next);
  });
  await pipeline(createReadStream(REAL_ARCHIVE), createGunzip(), archive);
  return files;
}

function daysUntil(csv: string, until: string): string {
  const [head, ...lines] = csv.split('\n');
  return [head, ...lines.filter((line) => line.slice(0, 10) <= until && line !== ''), ''].join('\n');
}

import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import { csvFields } from '#foundation/text/csv.ts';
import { createSources, type SourcesDependencies } from './create-sources.ts';
import type { SourceDefinition } from './definition.ts';
import { DropFolder } from '../origins/drop-folder.ts';
import type { DataFile } from '../deliveries/delivery.ts';
import { SourceFailure } from '../deliveries/source-failure.ts';

/** What a source would bring, as the importer would get it. */
interface Trial {
  /** Names of the columns that have values. */
  columns: string[];
  /** The first rows, a text for each column. */
  rows: string[][];
  rowsInAll: number;
  bytes: number;
  findings: string[];
}

/**
 * Fetches a trading day of a source that need not be declared, or the file that was dropped last. Imports nothing.
 * @param day the newest one that is due unless it is given
 * @throws SourceFailure
 */
export async function tried(
  definition: SourceDefinition,
  { day, rows: maxRows }: { day?: string | undefined; rows: number },
  dependencies: SourcesDependencies,
  signal: AbortSignal,
): Promise<Trial> {
  const [source] = createSources([definition], dependencies);
  const { calendar, clock } = dependencies;
  const subject =
    'folder' in definition.from
      ? await newestFile(definition.from.folder, definition.max_bytes)
      : (day ?? newestDueDay(calendar, clock(), definition.due_at));
  const { files, rows, bytes, findings } = await source!.fetch(subject, signal);
  return { ...firstRows(files[0], maxRows), rowsInAll: rows, bytes, findings };
}

async function newestFile(path: string, maxBytes: number): Promise<string> {
  const newest = await new DropFolder(path, maxBytes).newest();
  if (newest === undefined) throw new SourceFailure('not_published', `${path} has no file to try.`);
  return newest;
}

/** Columns without a value in any of these rows are left out: bars have many that few sources fill. */
function firstRows(file: DataFile | undefined, maxRows: number): Pick<Trial, 'columns' | 'rows'> {
  if (!file || !/\.csv$/i.test(file.path)) return { columns: [], rows: [] };
  const [header = '', ...lines] = file.bytes.toString('utf8').split(/\r?\n/, maxRows + 1);
  const rows = lines.filter((line) => line !== '').map((line) => csvFields(line));
  const columns = csvFields(header);
  const filled = columns.flatMap((_, i) => (rows.some((row) => row[i] !== '') ? [i] : []));
  return {
    columns: filled.map((i) => columns[i]!),
    rows: rows.map((row) => filled.map((i) => row[i] ?? '')),
  };
}

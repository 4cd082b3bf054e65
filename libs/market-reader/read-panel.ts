import { numericValues, type ReadArrow } from './arrow-batch.ts';
import { readLateFactors } from './read-late-factors.ts';
import { PanelBuilder, type ListingEntry } from './panel-builder.ts';
import { Panel } from '#quant/panel/panel.ts';

export const COUNT_SQL = `SELECT toUInt32(count()) AS row_count FROM market.daily_bar
WHERE dataset_version = {version:String}`;

const BARS = `SELECT ticker, date, open, high, low, close, previous, volume, value, frequency,
  foreign_buy, foreign_sell, nego_volume, nego_value, nego_frequency, listed_shares, factor, share_factor
FROM market.daily_bar
WHERE dataset_version = {version:String}`;

export const BARS_SQL = `${BARS}
ORDER BY ticker, date`;

const BARS_BETWEEN_SQL = `${BARS} AND date BETWEEN {firstDate:Date} AND {lastDate:Date}
ORDER BY ticker, date`;

export const LISTING_SQL = `SELECT ticker, name, sector, board, toString(listed_on) AS listed_on
FROM market.listing
WHERE dataset_version = {version:String}
ORDER BY ticker`;

/** Reads one dataset version into memory. An unknown version gives a panel without rows. */
export async function loadPanel(readArrow: ReadArrow, version: string): Promise<Panel> {
  const params = { version };
  const builder = new PanelBuilder(await readRowCount(readArrow, params));
  for await (const batch of readArrow(BARS_SQL, params)) builder.append(batch);
  const panel = new Panel(builder.finish(await readListing(readArrow, params)));
  const late_factors = await readLateFactors(readArrow, params, panel);
  return late_factors.length === 0 ? panel : new Panel({ ...panel.columns, late_factors });
}

/** Reads the bars of a span of days, both ends included, without listings. The calendar consists of these days. */
export async function loadBars(
  readArrow: ReadArrow,
  version: string,
  span: { firstDate: string; lastDate: string },
): Promise<Panel> {
  const builder = new PanelBuilder();
  for await (const batch of readArrow(BARS_BETWEEN_SQL, { version, ...span })) builder.append(batch);
  return new Panel(builder.finish([]));
}

async function readRowCount(readArrow: ReadArrow, params: Record<string, unknown>): Promise<number> {
  let rowCount = 0;
  for await (const batch of readArrow(COUNT_SQL, params)) {
    for (const count of numericValues(batch, 'row_count')) rowCount += count;
  }
  return rowCount;
}

async function readListing(readArrow: ReadArrow, params: Record<string, unknown>): Promise<ListingEntry[]> {
  const entries: ListingEntry[] = [];
  for await (const batch of readArrow(LISTING_SQL, params)) {
    for (const row of batch) entries.push(listingEntry(row as unknown as ListingRow));
  }
  return entries;
}

interface ListingRow {
  ticker: string;
  name: string;
  sector: string;
  board: string;
  listed_on: string | null;
}

function listingEntry({ ticker, name, sector, board, listed_on }: ListingRow): ListingEntry {
  return { ticker, name, sector, board, listed_on };
}

import { epochDayValues, numericValues, type ReadArrow } from './arrow-batch.ts';
import { extendPanel } from './extend-panel.ts';
import { listingColumns, PanelBuilder, type ListingEntry } from './panel-builder.ts';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import type { LateFactor } from '#quant/panel/panel-columns.ts';
import { Panel } from '#quant/panel/panel.ts';

export const COUNT_SQL = `SELECT toUInt32(count()) AS row_count FROM market.daily_bar
WHERE dataset_version = {version:String}`;

const COLUMNS = `ticker, date, open, high, low, close, previous, volume, value, frequency,
  foreign_buy, foreign_sell, nego_volume, nego_value, nego_frequency, listed_shares, bid, factor, share_factor`;

const BARS = `SELECT ${COLUMNS}
FROM market.daily_bar
WHERE dataset_version = {version:String} AND date <= {until:Date}`;
/** The last day of ClickHouse's type Date. */
const ALL_DAYS = '2149-06-06';

export const BARS_SQL = `${BARS}
ORDER BY ticker, date`;

export const BARS_SINCE_SQL = `${BARS} AND date >= {firstDate:Date}
ORDER BY ticker, date`;

/** The first day of which two versions have different bars; no row if there is none. */
export const FIRST_CHANGE_SQL = `SELECT min(date) AS first_date FROM (
  SELECT date, sumIf(digest, dataset_version = {version:String}) != sumIf(digest, dataset_version = {held:String}) AS differs
  FROM (
    SELECT dataset_version, date, cityHash64(${COLUMNS}) AS digest FROM market.daily_bar
    WHERE dataset_version IN ({version:String}, {held:String})
      AND date <= if(dataset_version = {version:String}, {until:Date}, {heldUntil:Date}))
  GROUP BY date)
WHERE differs HAVING count() > 0`;

const BARS_BETWEEN_SQL = `${BARS} AND date BETWEEN {firstDate:Date} AND {lastDate:Date}
ORDER BY ticker, date`;

export const LISTING_SQL = `SELECT ticker, name, sector, board, toString(listed_on) AS listed_on
FROM market.listing
WHERE dataset_version = {version:String}
ORDER BY ticker`;

export const MISSING_DAYS_SQL = `SELECT toString(arrayJoin(missing_days)) AS day FROM market.dataset
WHERE version = {version:String}`;

export const LATE_FACTORS_SQL = `SELECT ticker, toString(date) AS date, toString(known_on) AS known_on, factor, share_factor
FROM market.late_factor
WHERE dataset_version = {version:String} AND late_factor.date <= {until:Date}
ORDER BY ticker, date`;

type BarsParams = Record<'version' | 'until', string>;

interface HeldPanel {
  version: string;
  panel: Panel;
}

/**
 * Reads one dataset version into memory. An unknown version gives a panel without rows.
 * @param held its bars are copied instead of read up to the first day that differs, which is most of the work when a day was added
 * @param until later days are left out
 */
export async function loadPanel(
  readArrow: ReadArrow,
  version: string,
  held?: HeldPanel,
  until = ALL_DAYS,
): Promise<Panel> {
  const params = { version, until };
  const panel = held ? await readExtended(readArrow, params, held) : await readWhole(readArrow, params);
  const late_factors = await readLateFactors(readArrow, params, panel);
  const gaps = await readGaps(readArrow, params, panel);
  if (late_factors.length === 0 && gaps.length === 0) return panel;
  return new Panel({
    ...panel.columns,
    ...(late_factors.length > 0 && { late_factors }),
    ...(gaps.length > 0 && { gaps }),
  });
}

interface LateFactorRow {
  ticker: string;
  date: string;
  known_on: string;
  factor: number;
  share_factor: number;
}

/** Reads what applied on bars of a version before the corporate actions were known that restate prices there. */
async function readLateFactors(
  readArrow: ReadArrow,
  params: BarsParams,
  panel: Panel,
): Promise<LateFactor[]> {
  const late: LateFactor[] = [];
  for await (const batch of readArrow(LATE_FACTORS_SQL, params)) {
    for (const row of batch) late.push(lateFactor(panel, row as unknown as LateFactorRow));
  }
  return late;
}

function lateFactor(
  panel: Panel,
  { ticker, date, known_on, factor, share_factor }: LateFactorRow,
): LateFactor {
  const row = panel.rowAt(panel.tickerIndex(ticker), panel.dayOnOrBefore(date));
  if (row < 0) throw new RangeError(`${ticker} has no bar of ${date}, although it was restated`);
  return { row, knownDay: panel.dayOnOrAfter(known_on), factor, share_factor };
}

/** The days that follow a hole. Several missing days in a row make one. */
async function readGaps(readArrow: ReadArrow, params: { version: string }, panel: Panel): Promise<number[]> {
  const gaps = new Set<number>();
  for await (const batch of readArrow(MISSING_DAYS_SQL, params)) {
    for (const row of batch) gaps.add(panel.dayOnOrAfter((row as unknown as { day: string }).day));
  }
  return [...gaps].filter((day) => day < panel.dayCount).sort((a, b) => a - b);
}

async function readWhole(readArrow: ReadArrow, params: BarsParams): Promise<Panel> {
  const builder = new PanelBuilder(await readRowCount(readArrow, params));
  for await (const batch of readArrow(BARS_SQL, params)) builder.append(batch);
  return new Panel(builder.finish(await readListing(readArrow, params)));
}

async function readExtended(
  readArrow: ReadArrow,
  params: BarsParams,
  { version, panel }: HeldPanel,
): Promise<Panel> {
  const heldUntil = panel.columns.dates.at(-1) ?? ALL_DAYS;
  const firstDate = await readFirstChange(readArrow, { ...params, held: version, heldUntil });
  const dayCount = firstDate === undefined ? panel.dayCount : panel.dayOnOrAfter(firstDate);
  const builder = new PanelBuilder(0, { panel, dayCount });
  if (firstDate !== undefined) {
    const batches = readArrow(BARS_SINCE_SQL, { ...params, firstDate });
    for await (const batch of batches) builder.append(batch);
  }
  const bars = extendPanel(panel, dayCount, new Panel(builder.finish([])));
  return new Panel({ ...bars, listing: listingColumns(bars.tickers, await readListing(readArrow, params)) });
}

async function readFirstChange(
  readArrow: ReadArrow,
  params: BarsParams & { held: string; heldUntil: string },
): Promise<string | undefined> {
  for await (const batch of readArrow(FIRST_CHANGE_SQL, params)) {
    for (const epochDay of epochDayValues(batch, 'first_date')) return isoFromEpochDay(epochDay);
  }
  return undefined;
}

/** Reads the bars of a span of days, both ends included, without listings. The calendar consists of these days. */
export async function loadBars(
  readArrow: ReadArrow,
  version: string,
  span: { firstDate: string; lastDate: string },
): Promise<Panel> {
  const builder = new PanelBuilder();
  for await (const batch of readArrow(BARS_BETWEEN_SQL, { version, until: ALL_DAYS, ...span }))
    builder.append(batch);
  return new Panel(builder.finish([]));
}

export async function readRowCount(readArrow: ReadArrow, params: Record<string, unknown>): Promise<number> {
  let rowCount = 0;
  for await (const batch of readArrow(COUNT_SQL, params)) {
    for (const count of numericValues(batch, 'row_count')) rowCount += count;
  }
  return rowCount;
}

async function readListing(readArrow: ReadArrow, params: Record<string, unknown>): Promise<ListingEntry[]> {
  const entries: ListingEntry[] = [];
  for await (const batch of readArrow(LISTING_SQL, params)) {
    for (const row of batch) entries.push(listingEntry(row as unknown as ListingEntry));
  }
  return entries;
}

function listingEntry({ ticker, name, sector, board, listed_on }: ListingEntry): ListingEntry {
  return { ticker, name, sector, board, listed_on };
}

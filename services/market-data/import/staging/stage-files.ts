import { cutText } from '#foundation/text/cut-text.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';
import { type ArchivedFile, beginning } from '../files/archive.ts';
import { BlankLimit } from '../files/blank-limit.ts';
import {
  type BrokerAssumptions,
  type BrokerLayout,
  brokerLayout,
} from '#shared/data-format/broker-layout.ts';
import { parseActionTable } from '../files/action-table.ts';
import { parseBrokerTable } from '../files/broker-table.ts';
import { sector, ticker, type BarsLayout, kindOfFile } from '../files/idx-format.ts';
import { type LineBlock, lineBlocks, MAX_LINE_BYTES } from '../files/line-blocks.ts';
import type { Progress } from '../request/progress.ts';
import type { StagedBlock } from './staged-blocks.ts';
import type { Staging, UnreadableLine } from './staging.ts';
import { firstObject, jsonArrayBlocks, MAX_OBJECT_BYTES } from '../files/json-array.ts';

/**
 * If none of a file's first lines, up to this many, can be read, the file is not market data. Reading on would take
 * minutes and refuse millions of rows one by one.
 */
const JUDGED_LINES = 10_000;
/** Bytes held in memory until the lines are judged, however long the lines are. */
const MAX_JUDGED_BYTES = 8 * 1024 * 1024;
const MAX_SHOWN_LENGTH = 80;

/** Limit for all skipped files of an upload together: each is read to its end, while other imports wait. */
const MAX_SKIPPED_BYTES = 1024 ** 3;

/** All listings of the exchange together take 70 KB, and its corporate actions of ten years 300 KB. */
const MAX_TABLE_BYTES = 8 * 1024 * 1024;

interface StagingRules {
  /** Rows of later days are refused. */
  latestDay: string;
  /** Assumptions about broker rows for what the file does not state. */
  assumed: BrokerAssumptions;
}

interface RoutedBlock {
  layout: BrokerLayout | BarsLayout;
  block: StagedBlock;
}

interface SmallFile {
  path: string;
  text: Buffer;
}

/** Files of an upload that are no data. */
export interface SkippedFiles {
  count: number;
  /** Read of them. */
  bytes: number;
  /** The first one, and why it is no data. */
  first?: { path: string; why: string };
}

interface Destination {
  staging: Staging;
  rules: StagingRules;
  listings: SmallFile[];
  skipped: SkippedFiles;
  blank: BlankLimit;
  progress: Progress;
}

/**
 * Streams the rows of all files into the staging tables, with one insert for consecutive files of the same layout.
 * Listings are collected and inserted afterwards.
 */
export async function stageFiles(
  files: AsyncIterable<ArchivedFile>,
  staging: Staging,
  rules: StagingRules,
  progress: Progress,
): Promise<SkippedFiles> {
  const skipped = { count: 0, bytes: 0 };
  const to: Destination = { staging, rules, listings: [], skipped, blank: new BlankLimit(), progress };
  let failure: unknown;
  async function* blocks(): AsyncGenerator<RoutedBlock> {
    try {
      for await (const file of files) yield* rowBlocks(file, to);
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  await insertRuns(blocks(), staging, rules.latestDay).catch((error: unknown) => {
    // An error in the files explains more than the error of the aborted insert.
    throw failure ?? error;
  });
  for (const { path, text } of to.listings)
    await staging.insertListing(path, sector(path), text.toString('utf8'));
  return to.skipped;
}

/**
 * Inserts one run of equal layouts after another. An insert without rows times out, so none may stay open meanwhile.
 */
async function insertRuns(
  blocks: AsyncGenerator<RoutedBlock>,
  staging: Staging,
  latestDay: string,
): Promise<void> {
  let next = await blocks.next();
  async function* whileReadAs(run: string): AsyncGenerator<StagedBlock> {
    while (next.done !== true && JSON.stringify(next.value.layout) === run) {
      yield next.value.block;
      next = await blocks.next();
    }
  }
  try {
    while (next.done !== true) {
      const { layout } = next.value;
      const run = whileReadAs(JSON.stringify(layout));
      await ('format' in layout
        ? staging.brokers.insertRows(layout, run, latestDay)
        : staging.insertRows(layout, run, latestDay));
    }
  } finally {
    await blocks.return(undefined);
  }
}

/** The rows of a file of bars or broker rows; nothing for other files. */
async function* rowBlocks(file: ArchivedFile, to: Destination): AsyncGenerator<RoutedBlock> {
  const { path } = file;
  const found = await openDataFile(file, to);
  if (found.kind === 'listing') to.listings.push({ path, text: await wholeFile(path, found.lines) });
  if (found.kind === 'broker table') keepBrokerTable(to.staging, path, await wholeFile(path, found.lines));
  if (found.kind === 'action table') keepActionTable(to.staging, path, await wholeFile(path, found.lines));
  if (found.kind === 'other') await skip(file, found, to.skipped);
  if (found.kind !== 'bars' && found.kind !== 'broker rows') return;
  const { layout } = found;
  const code = found.kind === 'bars' && found.layout.tickerColumn === undefined ? tickerOf(path) : '';
  const staged = ({ firstLine, text }: LineBlock) => ({ file: path, ticker: code, firstLine, text });
  const judge = async (first: LineBlock[]) => {
    const unreadable = await to.staging.judge(layout, first.map(staged), to.rules.latestDay);
    if (unreadable) throw notMarketData(path, first, unreadable);
  };
  for await (const block of judgedRows(found.rows, judge)) {
    to.progress.rowsRead += block.lineCount;
    yield { layout, block: staged(block) };
  }
}

/** Holds back the first blocks of a large file until they are judged. A small file is not judged. */
async function* judgedRows(
  blocks: AsyncIterable<LineBlock>,
  judge: (first: LineBlock[]) => Promise<void>,
): AsyncGenerator<LineBlock> {
  const first: LineBlock[] = [];
  let [isJudged, lines, bytes] = [false, 0, 0];
  for await (const block of blocks) {
    if (isJudged) {
      yield block;
      continue;
    }
    first.push(block);
    lines += block.lineCount - block.emptyCount;
    bytes += block.text.length;
    if (lines < JUDGED_LINES && bytes < MAX_JUDGED_BYTES) continue;
    await judge(first);
    isJudged = true;
    yield* first.splice(0);
  }
  yield* first;
}

function notMarketData(
  path: string,
  first: LineBlock[],
  { line, reason, text }: UnreadableLine,
): ServiceError {
  const lines = first.reduce((sum, { lineCount }) => sum + lineCount, 0).toLocaleString('en');
  return rejected(
    `${path} is not market data: none of its first ${lines} lines can be read. Line ${line}, for example, is ` +
      `refused (${reason}): '${cutText(text, MAX_SHOWN_LENGTH)}'.`,
  );
}

/**
 * Skips an unrecognised file of an archive. It must be read to its end, or it would block the files after it.
 * @throws ServiceError import_rejected if the file is the whole upload, whose rest is not read then, and for too many bytes
 */
async function skip({ path, isAlone }: ArchivedFile, { why, rest }: OtherFile, skipped: SkippedFiles) {
  if (isAlone) throw rejected(`${path} is not market data: ${why}.`);
  skipped.first ??= { path, why };
  skipped.count++;
  for await (const { length } of rest) {
    skipped.bytes += length;
    if (skipped.bytes > MAX_SKIPPED_BYTES)
      throw rejected(
        `${path} is not market data: ${why}. The upload may have at most ${MAX_SKIPPED_BYTES / 1024 ** 3} GiB of such ` +
          `files: leave them out.`,
      );
  }
}

function tickerOf(path: string): string {
  const code = ticker(path);
  if (code !== undefined) return code;
  throw rejected(
    `${path}: a file of bars must have a column ticker or be called after its ticker, as in BBCA.csv.`,
  );
}

async function wholeFile(path: string, lines: AsyncIterable<LineBlock>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const { text } of lines) {
    parts.push(text, Buffer.from('\n'));
    length += text.length;
    if (length > MAX_TABLE_BYTES) throw rejected(`${path}: the table is larger than 8 MiB.`);
  }
  return Buffer.concat(parts);
}

function keepBrokerTable({ brokers }: Staging, path: string, text: Buffer): void {
  if (brokers.table.length > 0) throw rejected(`${path}: the upload has another broker table already.`);
  brokers.table.push(...parseBrokerTable(path, text.toString('utf8')));
}

function keepActionTable(staging: Staging, path: string, text: Buffer): void {
  if (staging.actions) throw rejected(`${path}: the upload has another table of corporate actions already.`);
  staging.actions = parseActionTable(path, text.toString('utf8'));
}

type Blocks = AsyncIterable<LineBlock>;

/** A file of an upload with its content: rows without their header, or a small table with its header. */
type DataFile =
  | { kind: 'bars'; layout: BarsLayout; rows: Blocks }
  | { kind: 'broker rows'; layout: BrokerLayout; rows: Blocks }
  | { kind: 'listing' | 'broker table' | 'action table'; lines: Blocks }
  | OtherFile;

interface OtherFile {
  kind: 'other';
  why: string;
  /** What must be read before the next file of the archive. */
  rest: AsyncIterable<Buffer>;
}

/**
 * Determines the kind of a file from its extension and first bytes.
 * @throws ServiceError import_rejected for a file that is almost of a known kind
 */
async function openDataFile(file: ArchivedFile, to: Destination): Promise<DataFile> {
  const { path } = file;
  if (isHidden(path)) return other('it is hidden');
  if (/\.csv$/i.test(path)) return openCsv(file, to);
  if (/\.(json|jsonl|ndjson)$/i.test(path)) return openJson(file, to);
  return other('its name does not end in .csv, .json, .jsonl or .ndjson');
}

function other(why: string, rest: AsyncIterable<Buffer> = nothing()): OtherFile {
  return { kind: 'other', why, rest };
}

async function* nothing(): AsyncGenerator<never> {}

/** macOS archives contain an attribute file `._NAME` for every file. */
function isHidden(path: string): boolean {
  return /(^|\/)\._[^/]*$/.test(path);
}

async function openCsv(file: ArchivedFile, { rules, blank }: Destination): Promise<DataFile> {
  const { path } = file;
  const { head, bytes } = await beginning(file.bytes, MAX_LINE_BYTES);
  if (head.length === 0) return other('it is empty');
  const header = head.toString('utf8').split('\n', 1)[0]!.replace(/\r$/, '');
  const kind = kindOfFile(path, header, rules.assumed);
  if (kind === 'other')
    return other(`no known file begins with '${cutText(header, MAX_SHOWN_LENGTH)}'`, bytes);
  const lines = lineBlocks(path, bytes, blank);
  if (kind === 'listing' || kind === 'broker table' || kind === 'action table') return { kind, lines };
  const rows = withoutHeader(lines);
  return 'format' in kind
    ? { kind: 'broker rows', layout: kind, rows }
    : { kind: 'bars', layout: kind, rows };
}

/** Opens a file with one object per line or an array of objects. The members of the first object determine its kind. */
async function openJson(file: ArchivedFile, { rules, blank }: Destination): Promise<DataFile> {
  const { path } = file;
  const { head, bytes } = await beginning(file.bytes, MAX_OBJECT_BYTES);
  const isArray = head.toString('latin1').trimStart().startsWith('[');
  const object = isArray ? firstObject(head) : head.toString('utf8').split('\n', 1)[0];
  const layout = brokerLayout(path, 'json', membersOf(object ?? ''), rules.assumed);
  if (layout) {
    const rows = isArray ? jsonArrayBlocks(path, bytes, blank) : lineBlocks(path, bytes, blank);
    return { kind: 'broker rows', layout, rows };
  }
  return other('its first object has no row of a broker', bytes);
}

function membersOf(text: string): string[] {
  try {
    return Object.keys(JSON.parse(text) as object);
  } catch {
    return [];
  }
}

async function* withoutHeader(blocks: Blocks): AsyncGenerator<LineBlock> {
  for await (const block of blocks) yield block.firstLine === 1 ? withoutFirstLine(block) : block;
}

function withoutFirstLine({ text, lineCount, emptyCount }: LineBlock): LineBlock {
  const end = text.indexOf('\n');
  const rows = end < 0 ? Buffer.alloc(0) : text.subarray(end + 1);
  return { firstLine: 2, lineCount: lineCount - 1, emptyCount, text: rows };
}

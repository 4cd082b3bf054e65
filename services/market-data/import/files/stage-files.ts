import { cutText } from '#shared/text/cut-text.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { ArchivedFile } from './archive.ts';
import type { BrokerAssumptions, BrokerLayout } from '../broker/broker-layout.ts';
import { parseBrokerTable } from '../broker/broker-table.ts';
import { openDataFile } from './data-file.ts';
import { sector, ticker, type BarsLayout } from './idx-format.ts';
import type { LineBlock } from './line-blocks.ts';
import type { Progress } from '../progress.ts';
import type { StagedBlock } from './row-binary.ts';
import type { Staging, UnreadableLine } from '../staging.ts';

/**
 * A file of which none of so many first lines can be read is no market data. To go on reading it would cost minutes and
 * refuse millions of rows one by one.
 */
const JUDGED_LINES = 10_000;
/** What waits in memory for the judgement, whatever the lines are like. */
const MAX_JUDGED_BYTES = 8 * 1024 * 1024;
const MAX_SHOWN_LENGTH = 80;

/** All listings of the exchange take 70 KB. */
const MAX_TABLE_BYTES = 8 * 1024 * 1024;

interface StagingRules {
  /** Rows of later days are refused. */
  latestDay: string;
  /** What broker rows are taken for that do not say it. */
  assumed: BrokerAssumptions;
}

/** A block, and how its lines are to be read. */
interface RoutedBlock {
  layout: BrokerLayout | BarsLayout;
  block: StagedBlock;
}

interface SmallFile {
  path: string;
  text: Buffer;
}

/**
 * Streams the rows of all files into the staging tables, with one insert for consecutive files that are read alike,
 * and keeps listings for after it.
 */
export async function stageFiles(
  files: AsyncIterable<ArchivedFile>,
  staging: Staging,
  rules: StagingRules,
  progress: Progress,
): Promise<void> {
  const listings: SmallFile[] = [];
  let failure: unknown;
  async function* blocks(): AsyncGenerator<RoutedBlock> {
    try {
      for await (const file of files) yield* rowBlocks(file, { staging, rules, listings, progress });
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  await insertRuns(blocks(), staging, rules.latestDay).catch((error: unknown) => {
    // What is wrong with the files says more than the insert that it broke off.
    throw failure ?? error;
  });
  for (const { path, text } of listings) await insertListing(staging, path, text);
}

/** An insert waits only so long for its next row, so that there are never two under way of which one has none. */
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

/** The rows of a file of bars or of broker rows; none of any other file. */
async function* rowBlocks(
  file: ArchivedFile,
  to: { staging: Staging; rules: StagingRules; listings: SmallFile[]; progress: Progress },
): AsyncGenerator<RoutedBlock> {
  const { path } = file;
  const found = await openDataFile(file, to.rules.assumed);
  if (found.kind === 'listing') to.listings.push({ path, text: await wholeFile(path, found.lines) });
  if (found.kind === 'broker table') keepBrokerTable(to.staging, path, await wholeFile(path, found.lines));
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

/** Keeps the first blocks of a large file back until they are judged; a small file passes. */
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
    lines += block.lineCount;
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

async function insertListing(staging: Staging, path: string, csv: Buffer): Promise<void> {
  try {
    await staging.insertListing(path, sector(path), csv);
  } catch (error) {
    throw new ServiceError('import_rejected', `${path}: cannot be read as a listing.`, { cause: error });
  }
}

function rejected(message: string): ServiceError {
  return new ServiceError('import_rejected', message);
}

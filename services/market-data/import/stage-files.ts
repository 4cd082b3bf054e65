import { ServiceError } from '#shared/service-error.ts';
import type { ArchivedFile } from './archive.ts';
import { kindOfFile, sector, ticker } from './idx-format.ts';
import { lineBlocks, type LineBlock } from './line-blocks.ts';
import type { Progress } from './progress.ts';
import type { StagedBlock } from './row-binary.ts';
import type { Staging } from './staging.ts';

/** All listings of the exchange take 70 KB. */
const MAX_LISTING_BYTES = 8 * 1024 * 1024;

/** Streams the bars of all files into one insert, and keeps the listing files for after it. */
export async function stageFiles(
  files: AsyncIterable<ArchivedFile>,
  staging: Staging,
  latestDay: string,
  progress: Progress,
): Promise<void> {
  const listings: { path: string; csv: Buffer }[] = [];
  let failure: unknown;
  async function* blocks(): AsyncGenerator<StagedBlock> {
    try {
      for await (const file of files) yield* barBlocks(file, listings, progress);
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  await staging.insertRows(blocks(), latestDay).catch((error: unknown) => {
    // What is wrong with the files says more than the insert that it broke off.
    throw failure ?? error;
  });
  for (const { path, csv } of listings) await insertListing(staging, path, csv);
}

/** The lines of a file of bars, without the header; none of any other file. */
async function* barBlocks(
  { path, bytes }: ArchivedFile,
  listings: { path: string; csv: Buffer }[],
  progress: Progress,
): AsyncGenerator<StagedBlock> {
  if (!isCsv(path)) return;
  const blocks = lineBlocks(path, bytes);
  const first = await nextBlock(blocks);
  if (!first) return;
  const kind = kindOfFile(path, headerOf(first));
  if (kind === 'listing') listings.push({ path, csv: await wholeFile(path, first, blocks) });
  if (kind !== 'bars') return;
  const code = ticker(path);
  if (!code) throw rejected(`${path}: a file of bars must be called after its ticker, as in BBCA.csv.`);
  for (let block: LineBlock | undefined = withoutHeader(first); block; block = await nextBlock(blocks)) {
    progress.rowsRead += block.lineCount;
    yield { file: path, ticker: code, firstLine: block.firstLine, text: block.text };
  }
}

async function nextBlock(blocks: AsyncIterator<LineBlock, void>): Promise<LineBlock | undefined> {
  const next = await blocks.next();
  return next.done === true ? undefined : next.value;
}

/** Archives made on macOS hold a file of attributes `._NAME` beside every file. */
function isCsv(path: string): boolean {
  return /\.csv$/i.test(path) && !/(^|\/)\._[^/]*$/.test(path);
}

function headerOf({ text }: LineBlock): string {
  const end = text.indexOf('\n');
  return text.toString('utf8', 0, end < 0 ? text.length : end);
}

function withoutHeader({ text, lineCount }: LineBlock): LineBlock {
  const end = text.indexOf('\n');
  const rows = end < 0 ? Buffer.alloc(0) : text.subarray(end + 1);
  return { firstLine: 2, lineCount: lineCount - 1, text: rows };
}

async function wholeFile(path: string, first: LineBlock, rest: AsyncIterable<LineBlock>): Promise<Buffer> {
  const parts = [first.text];
  let length = first.text.length;
  for await (const { text } of rest) {
    parts.push(Buffer.from('\n'), text);
    length += text.length;
    if (length > MAX_LISTING_BYTES) throw rejected(`${path}: the listing is larger than 8 MiB.`);
  }
  return Buffer.concat(parts);
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

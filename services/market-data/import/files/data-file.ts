import { cutText } from '#shared/text/cut-text.ts';
import { ServiceError } from '#shared/service-error.ts';
import { beginning, type ArchivedFile } from './archive.ts';
import { brokerLayout, type BrokerAssumptions, type BrokerLayout } from '../broker/broker-layout.ts';
import { kindOfFile, type BarsLayout } from './idx-format.ts';
import { firstObject, jsonArrayBlocks, MAX_OBJECT_BYTES } from './json-array.ts';
import { lineBlocks, type LineBlock } from './line-blocks.ts';

type Blocks = AsyncIterable<LineBlock>;

/** A file of an upload and what it holds: rows without their header, small tables with it. */
type DataFile =
  | { kind: 'bars'; layout: BarsLayout; rows: Blocks }
  | { kind: 'broker rows'; layout: BrokerLayout; rows: Blocks }
  | { kind: 'listing' | 'broker table'; lines: Blocks }
  | { kind: 'other' };

const OTHER: DataFile = { kind: 'other' };
const MAX_SHOWN_LENGTH = 80;

/**
 * What a file is, by the ending of its name and its first bytes.
 * @throws ServiceError import_rejected for a file that is nearly, but not, of a known kind
 */
export async function openDataFile(file: ArchivedFile, assumed: BrokerAssumptions): Promise<DataFile> {
  const { path } = file;
  if (isHidden(path)) return OTHER;
  if (/\.csv$/i.test(path)) return openCsv(file, assumed);
  if (/\.(json|jsonl|ndjson)$/i.test(path)) return openJson(file, assumed);
  return other(file, 'its name does not end in .csv, .json, .jsonl or .ndjson');
}

/**
 * A file of an archive that is nothing to read is passed over; left half-read it would hold up those after it.
 * @throws ServiceError import_rejected when it is the whole upload, of which the rest need not come then
 */
async function other(
  { path, isAlone }: ArchivedFile,
  why: string,
  rest: AsyncIterable<unknown> = nothing(),
): Promise<DataFile> {
  if (isAlone) throw new ServiceError('import_rejected', `${path} is not market data: ${why}.`);
  for await (const _ of rest);
  return OTHER;
}

async function* nothing(): AsyncGenerator<never> {}

/** Archives made on macOS hold a file of attributes `._NAME` beside every file. */
function isHidden(path: string): boolean {
  return /(^|\/)\._[^/]*$/.test(path);
}

async function openCsv(file: ArchivedFile, assumed: BrokerAssumptions): Promise<DataFile> {
  const { path, bytes } = file;
  const blocks = lineBlocks(path, bytes);
  const next = await blocks.next();
  if (next.done === true) return OTHER;
  const first = next.value;
  const [header] = first.text.toString('utf8').split('\n', 1);
  const kind = kindOfFile(path, header!, assumed);
  if (kind === 'listing' || kind === 'broker table') return { kind, lines: joined(first, blocks) };
  const rows = joined(withoutHeader(first), blocks);
  if (kind === 'other')
    return other(file, `no known file begins with '${cutText(header!, MAX_SHOWN_LENGTH)}'`, blocks);
  return 'format' in kind
    ? { kind: 'broker rows', layout: kind, rows }
    : { kind: 'bars', layout: kind, rows };
}

/** Objects one a line, or in an array; the members of the first say what the file holds. */
async function openJson(file: ArchivedFile, assumed: BrokerAssumptions): Promise<DataFile> {
  const { path } = file;
  const { head, bytes } = await beginning(file.bytes, MAX_OBJECT_BYTES);
  const isArray = head.toString('latin1').trimStart().startsWith('[');
  const object = isArray ? firstObject(head) : head.toString('utf8').split('\n', 1)[0];
  const layout = brokerLayout(path, 'json', membersOf(object ?? ''), assumed);
  if (layout) {
    const rows = isArray ? jsonArrayBlocks(path, bytes) : lineBlocks(path, bytes);
    return { kind: 'broker rows', layout, rows };
  }
  return other(file, 'its first object has no row of a broker', bytes);
}

function membersOf(text: string): string[] {
  try {
    return Object.keys(JSON.parse(text) as object);
  } catch {
    return [];
  }
}

async function* joined(first: LineBlock, rest: Blocks): AsyncGenerator<LineBlock> {
  yield first;
  yield* rest;
}

function withoutHeader({ text, lineCount }: LineBlock): LineBlock {
  const end = text.indexOf('\n');
  const rows = end < 0 ? Buffer.alloc(0) : text.subarray(end + 1);
  return { firstLine: 2, lineCount: lineCount - 1, text: rows };
}

import type { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';
import type { BlankLimit } from './blank-limit.ts';

/** Consecutive whole lines of a file. */
export interface LineBlock {
  /** Number of the first line, counted from 1. */
  firstLine: number;
  lineCount: number;
  emptyCount: number;
  /** The lines, separated by `\n`, without a final one. */
  text: Buffer;
}

/** A line of the daily format has about 200 bytes. The limit keeps a file without line ends from filling memory. */
export const MAX_LINE_BYTES = 64 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Splits a file at line ends without parsing the lines; the only cost is finding the line feeds. Memory use is one
 * piece of the input and one line.
 * @throws ServiceError import_rejected for a line that is too long, and for too many empty lines
 */
export async function* lineBlocks(
  path: string,
  bytes: AsyncIterable<Buffer>,
  limit: BlankLimit,
): AsyncGenerator<LineBlock, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let firstLine = 1;
  for await (const piece of bytes) {
    const seen = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const end = seen.lastIndexOf(LINE_FEED);
    rest = seen.subarray(end + 1);
    if (rest.length > MAX_LINE_BYTES) throw tooLong(path, firstLine + linesOf(seen).lineCount - 1);
    if (end < 0) continue;
    const block = blockOf(firstLine, seen.subarray(0, end));
    firstLine += block.lineCount;
    limit.count(path, block.emptyCount, block.text.length - block.emptyCount);
    yield block;
  }
  if (rest.length > 0) yield blockOf(firstLine, rest);
}

function blockOf(firstLine: number, lines: Buffer): LineBlock {
  const text = lines.includes(CARRIAGE_RETURN) ? withoutCarriageReturns(lines) : lines;
  return { firstLine, ...linesOf(text), text };
}

function linesOf(text: Buffer): Pick<LineBlock, 'lineCount' | 'emptyCount'> {
  let [lineCount, emptyCount, start] = [1, 0, 0];
  for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, start)) {
    if (at === start) emptyCount++;
    lineCount++;
    start = at + 1;
  }
  return { lineCount, emptyCount: start === text.length ? emptyCount + 1 : emptyCount };
}

/** Latin-1 maps every byte to itself, so text in other encodings is not changed. */
function withoutCarriageReturns(lines: Buffer): Buffer {
  return Buffer.from(lines.toString('latin1').replace(/\r(?=\n|$)/g, ''), 'latin1');
}

function tooLong(path: string, line: number): ServiceError {
  return rejected(`${path}:${line}: a line is longer than ${MAX_LINE_BYTES} bytes`);
}

import type { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';
import type { BlankLimit } from './blank-limit.ts';
import type { LineBlock } from './line-blocks.ts';

/** A row has about 200 bytes. The limit keeps a document that is not a list of rows from filling memory. */
export const MAX_OBJECT_BYTES = 64 * 1024;

/**
 * Splits a JSON array of objects into lines of one object each, numbered from 1. It only finds where objects end;
 * malformed objects are detected when they are parsed. Memory use is one piece of the input and one object.
 * @throws ServiceError import_rejected for anything but objects in the array, for too much white space between them, and for an
 *   array that does not end
 */
export async function* jsonArrayBlocks(
  path: string,
  bytes: AsyncIterable<Buffer>,
  limit: BlankLimit,
): AsyncGenerator<LineBlock, void, undefined> {
  const scanner = new ArrayScanner();
  let rest: Buffer = Buffer.alloc(0);
  let firstLine = 1;
  for await (const piece of bytes) {
    const seen = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const objects: Buffer[] = [];
    let start = 0;
    for (let at = rest.length; at < seen.length; at++) {
      const found = scanner.step(seen[at]!);
      if (found === 'first') start = at;
      if (found === 'last') objects.push(asLine(seen.subarray(start, at + 1)));
      if (found === 'wrong') throw wrong(path, firstLine + objects.length, 'is no object');
    }
    rest = scanner.isInObject ? seen.subarray(start) : Buffer.alloc(0);
    if (rest.length > MAX_OBJECT_BYTES) {
      throw wrong(path, firstLine + objects.length, `is longer than ${MAX_OBJECT_BYTES} bytes`);
    }
    const objectBytes = objects.reduce((sum, object) => sum + object.length, 0);
    limit.count(path, seen.length - rest.length - objectBytes, objectBytes);
    if (objects.length === 0) continue;
    yield { firstLine, lineCount: objects.length, emptyCount: 0, text: joined(objects) };
    firstLine += objects.length;
  }
  if (!scanner.isAtEnd) throw wrong(path, firstLine, 'is missing or cut short: the array does not end');
}

/** The first complete object of an array of objects; undefined if there is none or it is cut off. */
export function firstObject(head: Buffer): string | undefined {
  const scanner = new ArrayScanner();
  let start = 0;
  for (const [at, byte] of head.entries()) {
    const found = scanner.step(byte);
    if (found === 'first') start = at;
    if (found === 'last') return head.toString('utf8', start, at + 1);
    if (found === 'wrong') return undefined;
  }
  return undefined;
}

const [QUOTE, BACKSLASH, COMMA, LINE_FEED, CARRIAGE_RETURN, SPACE, TAB] = [34, 92, 44, 10, 13, 32, 9];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];
const BETWEEN = new Set([COMMA, LINE_FEED, CARRIAGE_RETURN, SPACE, TAB]);

/** Tracks the nesting in an array of objects, byte by byte. All significant bytes are ASCII. */
class ArrayScanner {
  #place: 'before' | 'within' | 'after' = 'before';
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  get isInObject(): boolean {
    return this.#depth > 0;
  }

  get isAtEnd(): boolean {
    return this.#place === 'after';
  }

  /** Whether the byte is the first or last of an object of the array, or invalid at this position. */
  step(byte: number): 'first' | 'last' | 'wrong' | undefined {
    if (this.#isText) return this.#stepText(byte);
    if (this.#depth === 0) return this.#stepBetween(byte);
    if (byte === QUOTE) this.#isText = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--;
    return this.#depth === 0 ? 'last' : undefined;
  }

  #stepText(byte: number): undefined {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #stepBetween(byte: number): 'first' | 'wrong' | undefined {
    if (BETWEEN.has(byte)) return undefined;
    if (this.#place === 'before' && byte === OPEN_BRACKET) this.#place = 'within';
    else if (this.#place === 'within' && byte === CLOSE_BRACKET) this.#place = 'after';
    else if (this.#place === 'within' && byte === OPEN_BRACE) {
      this.#depth = 1;
      return 'first';
    } else return 'wrong';
    return undefined;
  }
}

/** In valid JSON, a line feed inside an object can only be white space, so replacing it is safe. */
function asLine(object: Buffer): Buffer {
  if (!object.includes(LINE_FEED)) return object;
  return Buffer.from(object.map((byte) => (byte === LINE_FEED ? SPACE : byte)));
}

function joined(lines: Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, i) => (i === 0 ? [line] : [Buffer.of(LINE_FEED), line])));
}

function wrong(path: string, number: number, what: string): ServiceError {
  return rejected(`${path}: object ${number} of the array ${what}`);
}

/** What staging receives at a time: lines of one file, cut into rows and fields by ClickHouse. */
export interface StagedBlock {
  file: string;
  ticker: string;
  firstLine: number;
  text: Buffer;
}

/** The structure of what `encodeBlock` writes, for the SQL function `input`. */
export const STAGED_BLOCK_STRUCTURE =
  'file LowCardinality(String), ticker LowCardinality(String), first_line UInt32, block String';

/** A block as one row of ClickHouse's RowBinary: needs no escaping, so that every byte arrives as it was. */
export function encodeBlock({ file, ticker, firstLine, text }: StagedBlock): Buffer[] {
  const line = Buffer.alloc(4);
  line.writeUInt32LE(firstLine);
  return [Buffer.concat([encodeText(file), encodeText(ticker), line, varint(text.length)]), text];
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** LEB128, as RowBinary writes lengths. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

/**
 * Rows are shared out in blocks that go round: market-wide features split the rows by date, and members with a
 * stretch of dates each would have all rows of such a node or none. A multiple of 4, for the vector kernels.
 */
const BLOCK_ROWS = 1_024;

/** A block of rows: its first row and how many it has. */
export interface RowBlock {
  index: number;
  from: number;
  count: number;
}

/** The blocks of `rowCount` rows that are a member's. */
export function blocksOf(member: { index: number; count: number }, rowCount: number): RowBlock[] {
  const blocks: RowBlock[] = [];
  for (let index = member.index; index * BLOCK_ROWS < rowCount; index += member.count) {
    const from = index * BLOCK_ROWS;
    blocks.push({ index, from, count: Math.min(BLOCK_ROWS, rowCount - from) });
  }
  return blocks;
}

export function blockCount(rowCount: number): number {
  return Math.ceil(rowCount / BLOCK_ROWS);
}

/** Most rows that one of so many members can have. */
export function mostBlockRows(rowCount: number, members: number): number {
  return Math.ceil(blockCount(rowCount) / members) * BLOCK_ROWS;
}

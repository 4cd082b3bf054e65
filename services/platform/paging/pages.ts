import type { CursorScope, CursorSigner, Position } from './cursor.ts';

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<Row> {
  rows: Row[];
  /** Absent on the last page. */
  nextCursor: string | undefined;
}

/** What a response says of its page besides the rows. */
export function aboutPage({ rows, nextCursor }: Page<unknown>) {
  return { count: rows.length, next_cursor: nextCursor, has_more: nextCursor !== undefined };
}

interface PagedList<Row> {
  cursors: CursorSigner;
  scope: CursorScope;
  /** Reads rows after a position, from the start if there is none. */
  read: (after: Position | undefined, limit: number) => Promise<Row[]>;
  positionOf: (row: Row) => Position;
}

/**
 * A page of a list.
 * @throws ServiceError invalid_cursor
 */
export async function pageOf<Row>(
  { limit, cursor }: PageRequest,
  { cursors, scope, read, positionOf }: PagedList<Row>,
): Promise<Page<Row>> {
  const after = cursor === undefined ? undefined : cursors.verify(cursor, scope);
  // Reads one more row than requested to find out whether there is a next page.
  const found = await read(after, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = found.length > limit && last ? cursors.sign(positionOf(last), scope) : undefined;
  return { rows, nextCursor };
}

/**
 * What a run would have picked of the names of one day (calendar index), by its own filters, in its own order and no more
 * than it may. Names are told by their row of the feature table.
 */
export type PicksOf<Name> = (ofDay: readonly Name[], day: number) => readonly { row: number }[];

/** The names of past days that a run would have picked on their own day. */
export function bestOfEachDay<Name extends { row: number; day: number }>(
  past: readonly Name[],
  picksOf: PicksOf<Name>,
): Name[] {
  const days = Map.groupBy(past, ({ day }) => day);
  return [...days].flatMap(([day, ofDay]) => {
    const picked = new Set(picksOf(ofDay, day).map(({ row }) => row));
    return ofDay.filter(({ row }) => picked.has(row));
  });
}

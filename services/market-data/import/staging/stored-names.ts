/** Prefix of the tables of a running import. Tables that exist when an import starts belong to one that crashed. */
export const STAGING_PREFIX = 'import_';

/** The name of the segment that a version adds for a month (`YYYY-MM`). It is unique across versions. */
export function segmentName(month: string, version: string): string {
  return `${month}.${version}`;
}

/** The month of a segment: `2024-06` for `2024-06.…`. */
export function monthOf(segment: string): string {
  return segment.slice(0, 7);
}

/** As ClickHouse reads a time in UTC. */
export function asClickHouseTime(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', '');
}

import { createHash } from 'node:crypto';
import { LISTING_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { csvLine } from '#foundation/text/csv.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { SourceFailure } from '../deliveries/source-failure.ts';
import type { Received } from '../origins/origin.ts';

export type Reading = Omit<Delivery, 'bytes'>;

/** Turns files of one shape into files for the importer. */
export interface Format {
  /**
   * Reads a file.
   * @param day the trading day (YYYY-MM-DD) that was asked for, which all rows must have; undefined if any day is welcome
   * @throws SourceFailure
   */
  read(received: Received, day: string | undefined): Promise<Reading>;
}

/**
 * Refuses rows of another day than the one that was asked for.
 * @throws SourceFailure repeated_day naming both
 */
export function refuseOtherDay(found: string, asked: string | undefined, where: string): void {
  if (asked === undefined || found === asked) return;
  throw new SourceFailure(
    'repeated_day',
    `Asked for ${asked}, the source answered with ${found} (${where}). Nothing of it is imported.`,
  );
}

/**
 * SHA-256 of rows regardless of their order. The caller leaves out dates, so that a day repeated under another date has the same
 * digest. Empty without rows, because every day without rows is like any other.
 */
export function contentDigest(rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map((row) => JSON.stringify(row)).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** A listing of names only. What it leaves empty, such as sectors and boards, stays as the served market has it. */
export function namesCsv(companies: readonly { ticker: string; name: string }[]): string {
  const lines = companies.map(({ ticker, name }) =>
    csvLine(LISTING_COLUMNS.map((column) => (column === 'code' ? ticker : column === 'name' ? name : ''))),
  );
  return [csvLine(LISTING_COLUMNS), ...lines, ''].join('\n');
}

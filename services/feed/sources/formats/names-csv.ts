import { LISTING_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { csvLine } from '#shared/text/csv.ts';

/** A listing of names only. What it leaves empty, such as sectors and boards, stays as the served market has it. */
export function namesCsv(companies: readonly { ticker: string; name: string }[]): string {
  const lines = companies.map(({ ticker, name }) =>
    csvLine(LISTING_COLUMNS.map((column) => (column === 'code' ? ticker : column === 'name' ? name : ''))),
  );
  return [csvLine(LISTING_COLUMNS), ...lines, ''].join('\n');
}

import type { ExchangeRows } from '#synthetic/exchange-rows.ts';
import type { SyntheticTicker } from '#synthetic/generate-market.ts';
import { csvLine } from '#shared/text/csv.ts';
import { IDX_COLUMNS, LISTING_COLUMNS } from './idx-format.ts';

/** Rows as the exchange's daily file of one ticker. What they do not hold (bids, offers, …) stays empty. */
export function barsCsv(rows: ExchangeRows): string {
  const columns = IDX_COLUMNS.map((column) =>
    column in rows ? rows[column as keyof ExchangeRows] : undefined,
  );
  const lines = rows.date.map((_, i) => columns.map((column) => column?.[i] ?? '').join(','));
  return [IDX_COLUMNS.join(','), ...lines, ''].join('\n');
}

/** Companies as the exchange's listing file. */
export function listingCsv(companies: Omit<SyntheticTicker, 'rows'>[]): string {
  const lines = companies.map(({ ticker, name, listing_date, board }) =>
    csvLine([ticker, name, listing_date, '', board]),
  );
  return [LISTING_COLUMNS.join(','), ...lines, ''].join('\n');
}

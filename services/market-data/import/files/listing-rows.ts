import { LISTING_COLUMNS } from '#shared/data-format/idx-columns.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import { csvFields } from '#foundation/text/csv.ts';
import { FIRST_DAY, LAST_STORABLE_DAY } from '../rules/row-rules.ts';

interface ListingRow {
  line: number;
  text: string;
  ticker: string;
  name: string;
  board: string;
  /** YYYY-MM-DD; null if the line does not say, and in a refused one. */
  listed_on: string | null;
  /** Why the line is refused; '' if it is not. */
  reason: string;
}

/** With a time of day or without, as the exchange writes it. */
const DAY = /^(\d{4}-\d{2}-\d{2})([T ].*)?$/;

/** The lines of a listing file that name a company. */
export function listingRows(csv: string): ListingRow[] {
  const [, ...lines] = csv.split('\n');
  return lines.flatMap((text, i) => {
    const fields = csvFields(text);
    const field = (column: (typeof LISTING_COLUMNS)[number]) => fields[LISTING_COLUMNS.indexOf(column)] ?? '';
    if (field('code') === '') return [];
    const day = DAY.exec(field('listingDate'))?.[1] ?? '';
    const isDay = isCalendarDay(day) && day >= FIRST_DAY && day <= LAST_STORABLE_DAY;
    return {
      line: i + 2,
      text,
      ticker: field('code').toUpperCase(),
      name: field('name'),
      board: field('listingBoard'),
      listed_on: isDay ? day : null,
      reason: isDay || field('listingDate') === '' ? '' : 'malformed listing date',
    };
  });
}

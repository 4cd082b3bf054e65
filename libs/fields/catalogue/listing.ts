import { epochDayFromIso } from '#foundation/iso-day.ts';
import { field, NULL_MEANS, type Field } from '../values/field.ts';
import { fromFeature } from './from-feature.ts';
import { perDay, type Stock } from '../values/stock.ts';

/** First day of the exchange's industrial classification, IDX-IC. On earlier days its sectors were not known. */
const SECTORS_SINCE = '2021-01-25';
const LISTING_SOURCE = 'List of stocks, as of the import of the dataset';

/** A column of the listing from a day on. Its numbers are tickers. */
function listed(
  column: 'sector' | 'board',
  firstDayOf: (stock: Stock) => number,
): Pick<Field, 'of' | 'textOf'> {
  return {
    of: (stock) => {
      const { listing, day } = stock.panel.columns;
      const firstDay = firstDayOf(stock);
      const isKnown = listing[column][stock.ticker] != null;
      return stock.rows((row) => (isKnown && day[row]! >= firstDay ? stock.ticker : NaN));
    },
    textOf: (ticker, { panel }) => panel.columns.listing[column][ticker]!,
  };
}

/** NaN before the first trade. */
function lastTradedDay(stock: Stock, row: number): number {
  return stock.panel.columns.day[stock.bars.rows[stock.barAt(row)]!] ?? NaN;
}

/** What a stock is, for how long it has been traded, and when it last was. */
export const LISTING_FIELDS: readonly Field[] = [
  field({
    name: 'ticker',
    label: { id: 'Kode saham', en: 'Ticker' },
    type: 'text',
    unit: 'none',
    formula: 'ticker',
    source: 'Daily summary of the exchange',
    nullMeans: NULL_MEANS.never,
    daysNeeded: 0,
    readsDays: 1,
    of: perDay((_, ticker) => ticker),
    textOf: (ticker, { panel }) => panel.columns.tickers[ticker]!,
  }),
  field({
    name: 'sector',
    label: { id: 'Sektor', en: 'Sector' },
    type: 'text',
    unit: 'none',
    formula: 'sector in the list of stocks',
    source: `${LISTING_SOURCE}. The classification began on ${SECTORS_SINCE} and rarely moves a stock`,
    nullMeans: NULL_MEANS.not_in_listing,
    daysNeeded: 0,
    readsDays: 1,
    since: SECTORS_SINCE,
    needs: ['listing'],
    ...listed('sector', ({ panel }) => panel.dayOnOrAfter(SECTORS_SINCE)),
  }),
  field({
    name: 'board',
    label: { id: 'Papan pencatatan', en: 'Listing board' },
    type: 'text',
    unit: 'none',
    formula: 'board in the list of stocks',
    source: `${LISTING_SOURCE}. Boards of the past are not known, so this is null on all days but the last`,
    nullMeans: NULL_MEANS.not_in_listing,
    daysNeeded: 0,
    readsDays: 1,
    needs: ['listing'],
    ...listed('board', ({ inputs }) => inputs.boardsKnownFrom ?? inputs.panel.lastWholeDay),
  }),
  field({
    name: 'listed_days',
    label: { id: 'Hari kalender sejak pencatatan', en: 'Calendar days since the listing' },
    unit: 'count',
    formula: 'day - day of the listing',
    source: LISTING_SOURCE,
    nullMeans: NULL_MEANS.not_in_listing,
    daysNeeded: 0,
    readsDays: 1,
    needs: ['listing'],
    of: (stock) => {
      const { listing, dates, day } = stock.panel.columns;
      const listedOn = listing.listed_on[stock.ticker];
      if (listedOn == null) return stock.rows(() => NaN);
      const start = epochDayFromIso(listedOn);
      return stock.rows((row) => epochDayFromIso(dates[day[row]!]!) - start);
    },
  }),
  fromFeature('age', 'as it is', {
    name: 'traded_bars',
    unit: 'days',
    daysNeeded: 1,
    readsDays: null,
    nullMeans: NULL_MEANS.untraded,
    of: (stock) => stock.rows((row) => stock.barAt(row) + 1 || NaN),
  }),
  field({
    name: 'days_since_trade',
    label: { id: 'Hari bursa sejak transaksi terakhir', en: 'Exchange days since the last trade' },
    unit: 'days',
    formula: 'exchange days from the last day with volume > 0 to the day; 0 if it is the day',
    source: 'Daily summary of the exchange',
    nullMeans: NULL_MEANS.untraded,
    daysNeeded: 1,
    firstDayRead: lastTradedDay,
    of: (stock) => stock.rows((row) => stock.panel.columns.day[row]! - lastTradedDay(stock, row)),
  }),
];

import type { Figure } from './arithmetic.ts';
import type { RawArchive } from './raw-archive.ts';
import type { StockView } from './stock-view.ts';

/** The exchange's classification by sector began on this day. */
const SECTORS_SINCE = '2021-01-25';
const DAY_MS = 86_400_000;

/** Every field of the group listing. */
export function figuresOfListing(
  view: StockView,
  { listing }: RawArchive,
  newestDate: string,
): Record<string, Figure> {
  const { ticker, date, bars, exchangeDays } = view;
  const listed = listing.get(ticker);
  return {
    ticker,
    sector: date >= SECTORS_SINCE ? (listed?.sector ?? null) : null,
    board: date === newestDate ? (listed?.board ?? null) : null,
    listed_days: listed ? (Date.parse(date) - Date.parse(listed.listedOn)) / DAY_MS : null,
    traded_bars: bars.length || null,
    days_since_trade: view.lastBar ? exchangeDays.length - 1 - exchangeDays.indexOf(view.lastBar.date) : null,
  };
}

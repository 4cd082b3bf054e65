import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { Random } from '#quant/random.ts';
import { EXCHANGE_COLUMNS, type ExchangeColumn } from '#synthetic-market/exchange-rows.ts';
import { generateMarket } from '#synthetic-market/generate-market.ts';

/** What a file says of a stock on a day, in the columns of the exchange. */
export type Row = { ticker: string; date: string } & Record<ExchangeColumn, number | ''>;

/** A market as it was: what every history about it should end in. */
export interface TrueMarket {
  days: readonly string[];
  rowsOf: (day: string) => Row[];
  /** The table of corporate actions, if one is needed to read the rows. */
  actionTable: string | undefined;
}

/** Enough for the rules about days with few stocks, with some to spare for stocks that are not there all the time. */
const TICKERS = 30;
const LAST_DAY = '2024-07-05';

/**
 * A generated market, which has listings, splits, rights and stocks that fall asleep. To it happens what the generator lacks: bonus
 * shares, and suspensions with and without rows, every so many days; a listing, a delisting and, in every other market, a rename.
 */
export function trueMarket(seed: number, dayCount: number, every: number): TrueMarket {
  const random = new Random(seed, 1);
  const days = IDX_CALENDAR.lastTradingDays(dayCount, LAST_DAY);
  const stocks = [...generateMarket({ seed, tickers: TICKERS, days: dayCount, lastDate: LAST_DAY })].map(
    ({ ticker, rows }) =>
      rows.date.map((date, i) => {
        const numbers = EXCHANGE_COLUMNS.map((column) => [column, rows[column][i]!]);
        return { ticker, date, ...(Object.fromEntries(numbers) as Record<ExchangeColumn, number>) };
      }),
  );
  const [listed, leaving, renamed, ...others] = stocks.filter((rows) => rows.length === dayCount);
  const gone = new Set<object>();
  const leave = (rows: object[]) => rows.forEach((row) => gone.add(row));
  for (let first = 1; first < dayCount; first += every) {
    const [bonus, quiet, absent] = [...random.permutation(others.length)].map((i) => others[i]!);
    issueBonus(bonus!, first + random.below(every));
    suspend(quiet!, first + random.below(every - 4));
    leave(suspend(absent!, first + random.below(every - 4)));
  }
  leave(listed!.slice(0, random.below(dayCount)));
  leave(leaving!.slice(random.below(dayCount)));
  const day = days[random.below(dayCount)]!;
  const { ticker } = renamed![0]!;
  const isRenamed = seed % 2 === 0;
  for (const row of renamed!) if (isRenamed && row.date < day) row.ticker = 'QOLD';
  const change = `ticker,kind,ex_date,known_on,new_ticker\nQOLD,ticker_change,${day},${day},${ticker}\n`;
  const there = stocks.flat().filter((row) => !gone.has(row));
  const byDay = Map.groupBy(there, ({ date }) => date);
  return { days, actionTable: isRenamed ? change : undefined, rowsOf: (date) => byDay.get(date)! };
}

type TrueRow = { date: string } & Record<ExchangeColumn, number>;

const PRICES = ['previous', 'open_price', 'first_trade', 'high', 'low', 'close', 'change'] as const;
const SHARES = ['volume', 'foreign_sell', 'foreign_buy', 'non_regular_volume'] as const;

/** One new share for each old one. Until they are listed, eight days later, only prices show them. */
function issueBonus(rows: TrueRow[], exDay: number): void {
  for (const [i, row] of rows.slice(exDay).entries()) {
    for (const column of PRICES) row[column] /= 2;
    for (const column of SHARES) row[column] *= 2;
    if (i >= 8) row.listed_shares *= 2;
  }
}

/** Three days without trades, which carry the close before. Returns their rows. */
function suspend(rows: TrueRow[], first: number): TrueRow[] {
  const { close } = rows[first - 1]!;
  const suspended = rows.slice(first, first + 3);
  for (const row of suspended) {
    for (const column of EXCHANGE_COLUMNS) if (column !== 'listed_shares') row[column] = 0;
    Object.assign(row, { previous: close, close });
  }
  if (rows[first + 3]) rows[first + 3]!.previous = close;
  return suspended;
}

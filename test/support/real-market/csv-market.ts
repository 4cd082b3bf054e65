/** A line of an exchange file, unchanged. */
export interface CsvDay {
  date: string;
  previous: number;
  open_price: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  value: number;
  frequency: number;
  listed_shares: number;
  foreign_buy: number;
  foreign_sell: number;
  non_regular_volume: number;
  non_regular_value: number;
  non_regular_frequency: number;
}

/** On this Monday, reference prices still refer to the prices of a test of the exchange's systems. */
const AFTER_SYSTEM_TEST = '2021-05-24';

/**
 * Reads the exchange's files with the simplest possible code. Tests take expected figures from it that are independent of the
 * code under test.
 */
export class CsvMarket {
  /** Trading days of the market, oldest first. */
  readonly dates: string[];
  readonly #byTicker = new Map<string, CsvDay[]>();

  constructor(files: Record<string, string>) {
    for (const [path, csv] of Object.entries(files)) {
      const ticker = /bars\/(\w+)\.csv$/.exec(path)?.[1];
      if (ticker !== undefined) this.#byTicker.set(ticker, daysOf(csv));
    }
    const dates = [...this.#byTicker.values()].flatMap((days) => days.map(({ date }) => date));
    this.dates = [...new Set(dates)].toSorted();
  }

  get tickers(): string[] {
    return [...this.#byTicker.keys()];
  }

  /** Every day of a stock, oldest first, or only those within the last `count` days of the exchange. */
  days(ticker: string, count = Infinity): CsvDay[] {
    const [firstDate] = this.dates.slice(-count);
    return this.#byTicker.get(ticker)!.filter(({ date }) => date >= firstDate!);
  }

  /** The line of every stock for a day. */
  on(date: string): (CsvDay & { ticker: string })[] {
    return this.tickers.flatMap((ticker) => {
      const day = this.days(ticker).find((line) => line.date === date);
      return day ? [{ ...day, ticker }] : [];
    });
  }
}

/** The sum of a figure over days. */
export function sumOf(days: CsvDay[], figure: (day: CsvDay) => number): number {
  return days.reduce((sum, day) => sum + figure(day), 0);
}

/** Change from the exchange's reference price of the day, percent. */
export function changePct({ close, previous }: CsvDay): number {
  return 100 * (close / previous - 1);
}

/**
 * Net value that foreign investors bought, IDR: their shares at the average price of the day, as the exchange publishes only
 * shares.
 */
export function foreignNet({ foreign_buy, foreign_sell, value, volume }: CsvDay): number {
  return volume === 0 ? 0 : (foreign_buy - foreign_sell) * (value / volume);
}

/**
 * The corporate action implied by each reference price, 1 on days without one. Of a split, of which the reference price is rounded, the
 * ratio of the shares: 0.2 for a split 1:5.
 */
function actionFactors(days: CsvDay[]): number[] {
  return days.map(({ previous, date, listed_shares }, i) => {
    if (i === 0 || date === AFTER_SYSTEM_TEST) return 1;
    const [price, shares] = [previous / days[i - 1]!.close, days[i - 1]!.listed_shares / listed_shares];
    const isSplit = price !== 1 && Math.max(shares, 1 / shares) > 1.25 && Math.abs(shares / price - 1) < 0.01;
    return isSplit ? shares : price;
  });
}

/** The factor that adjusts prices of each day to the terms of the last day. */
export function adjustments(days: CsvDay[]): number[] {
  const factors = actionFactors(days);
  return days.map((_, i) => factors.slice(i + 1).reduce((product, factor) => product * factor, 1));
}

function daysOf(csv: string): CsvDay[] {
  const [head, ...lines] = csv.trim().split('\n');
  const columns = head!.trim().split(',');
  return lines
    .map((line) => {
      const fields = line.trim().split(',');
      const numbers = columns.slice(1).map((column, i) => [column, Number(fields[i + 1])]);
      return { date: fields[0]!.slice(0, 10), ...Object.fromEntries(numbers) } as CsvDay;
    })
    .filter(({ date }) => !isWeekend(date));
}

function isWeekend(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).getUTCDay() % 6 === 0;
}

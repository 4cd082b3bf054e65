import type { RawDay, RawStock } from './raw-archive.ts';
import type { CorporateFactor } from './corporate-factors.ts';

/** A day on which the stock was traded, in the terms of the day of the view. */
export interface Bar {
  date: string;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** Of its own day. */
  raw: RawDay;
}

export const highest = (bars: readonly Bar[]) => Math.max(...bars.map(({ high }) => high));
export const lowest = (bars: readonly Bar[]) => Math.min(...bars.map(({ low }) => low));

/** Everything that is known of a stock at the end of a day. */
export class StockView {
  readonly ticker: string;
  readonly date: string;
  readonly exchangeDays: readonly string[];
  /** Every line of the stock up to the day. */
  readonly days: RawDay[];
  /** For each line, the product of the actions after it: its prices times this are in the terms of the day. */
  readonly scales: CorporateFactor[];
  readonly bars: Bar[];
  /** Whether it is not known on the day how many shares there are. */
  readonly isInDoubt: boolean;

  constructor(
    stock: RawStock,
    factors: readonly CorporateFactor[],
    { exchangeDays, date }: { exchangeDays: readonly string[]; date: string },
  ) {
    this.ticker = stock.ticker;
    this.date = date;
    this.exchangeDays = exchangeDays.slice(0, exchangeDays.indexOf(date) + 1);
    this.days = stock.days.filter((day) => day.date <= date);
    this.scales = new Array<CorporateFactor>(this.days.length);
    let [price, shares] = [1, 1];
    for (let i = this.days.length - 1; i >= 0; i--) {
      this.scales[i] = { price, shares };
      const { doubt } = factors[i]!;
      const known = doubt && doubt.until <= date ? doubt.then : factors[i]!;
      price *= known.price;
      shares *= known.shares;
    }
    const doubtful = this.days.findLastIndex((_, i) => (factors[i]!.doubt?.until ?? '') > date);
    this.isInDoubt = doubtful >= 0;
    this.bars = this.days
      .map((raw, i) => ({
        raw,
        date: raw.date,
        high: raw.high * this.scales[i]!.price,
        low: raw.low * this.scales[i]!.price,
        close: raw.close * this.scales[i]!.price,
        volume: i < doubtful ? NaN : raw.volume / this.scales[i]!.shares,
      }))
      .filter(({ raw }) => raw.volume > 0);
  }

  get today(): RawDay {
    return this.days.at(-1)!;
  }

  get lastBar(): Bar | undefined {
    return this.bars.at(-1);
  }

  closes(count = this.bars.length): number[] {
    return this.bars.slice(-count).map(({ close }) => close);
  }

  /** Lines of the last exchange days up to a day, on which the stock may lack some. */
  window(exchangeDays: number, until = this.date): RawDay[] {
    const end = this.exchangeDays.indexOf(until) + 1;
    const first = this.exchangeDays[Math.max(0, end - exchangeDays)]!;
    return this.days.filter(({ date }) => date >= first && date <= until);
  }

  /** Whether the stock had its first line on or before the first of the last exchange days. */
  isListedFor(exchangeDays: number): boolean {
    const first = this.exchangeDays.at(-exchangeDays);
    return first !== undefined && this.days[0]!.date <= first;
  }
}

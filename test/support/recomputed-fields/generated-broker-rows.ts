import { brokerLine } from '../markets/broker-rows.ts';
import type { RawDay } from './raw-archive.ts';

/** Of each class some, and one that no table has. */
const CODES = ['XL', 'YP', 'PD', 'AK', 'BK', 'ZP', 'CC', 'MG', 'LG', 'SQ', 'AZ', 'QQ'];
const TRADES = 25;
/** One day in so many has no rows, and one is incomplete. */
const DAYS_PER_GAP = 30;

/** Lines of a file of broker rows for a stock that has no real ones. */
export function generatedBrokerLines(
  days: readonly RawDay[],
  ticker: string,
  below: (end: number) => number,
): string[] {
  return days.flatMap((day) => {
    const fate = below(DAYS_PER_GAP);
    if (day.volume === 0 || fate === 0) return [];
    const rows = tradesOf(day, fate === 1 ? 0.9 : 1, below);
    return rows.map((row) => brokerLine({ ticker, date: day.date, ...row }));
  });
}

/** Trades between two brokers at prices of the day until its volume is used up: a row of each broker that traded. */
function tradesOf(day: RawDay, part: number, below: (end: number) => number) {
  const none = { buy_shares: 0, buy_value: 0, sell_shares: 0, sell_value: 0 };
  const rows = CODES.map((broker) => ({ broker, ...none }));
  let left = Math.floor((day.volume * part) / 100);
  const favourite = below(CODES.length);
  while (left > 0) {
    const lots = Math.min(left, 1 + below(Math.ceil((2 * day.volume) / 100 / TRADES)));
    left -= lots;
    const price = Math.round(day.low) + below(Math.round(day.high - day.low) + 1);
    const buyer = rows[below(4) === 0 ? favourite : below(CODES.length)]!;
    const seller = rows[below(CODES.length)]!;
    buyer.buy_shares += 100 * lots;
    buyer.buy_value += 100 * lots * price;
    seller.sell_shares += 100 * lots;
    seller.sell_value += 100 * lots * price;
  }
  return rows.filter((row) => row.buy_shares + row.sell_shares > 0);
}

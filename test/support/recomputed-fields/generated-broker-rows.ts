import type { CsvBrokerRow } from './figures-of-brokers.ts';
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
    const rows = [...tradesOf(day, fate === 1 ? 0.9 : 1, below).values()];
    return rows.map((row) =>
      brokerLine({
        ticker,
        date: day.date,
        broker: row.broker,
        buy_shares: row.buyShares,
        buy_value: row.buyValue,
        sell_shares: row.sellShares,
        sell_value: row.sellValue,
      }),
    );
  });
}

/** Trades between two brokers at prices of the day until its volume is used up. */
function tradesOf(day: RawDay, part: number, below: (end: number) => number): Map<string, CsvBrokerRow> {
  const rows = new Map<string, CsvBrokerRow>();
  const rowOf = (broker: string) => {
    const row = rows.get(broker) ?? {
      date: day.date,
      broker,
      buyShares: 0,
      buyValue: 0,
      sellShares: 0,
      sellValue: 0,
    };
    rows.set(broker, row);
    return row;
  };
  let left = Math.floor((day.volume * part) / 100);
  const favourite = below(CODES.length);
  while (left > 0) {
    const lots = Math.min(left, 1 + below(Math.ceil((2 * day.volume) / 100 / TRADES)));
    left -= lots;
    const price = Math.round(day.low) + below(Math.round(day.high - day.low) + 1);
    const buyer = rowOf(CODES[below(4) === 0 ? favourite : below(CODES.length)]!);
    const seller = rowOf(CODES[below(CODES.length)]!);
    buyer.buyShares += 100 * lots;
    buyer.buyValue += 100 * lots * price;
    seller.sellShares += 100 * lots;
    seller.sellValue += 100 * lots * price;
  }
  return rows;
}

import { correlation, mean } from '../market-fixture.ts';
import type { BrokerDay, TradedDay } from './generated-fixture.ts';

/** Statistics that compare generated broker rows with real ones. */

export function quantile(values: readonly number[], rank: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(rank * values.length))]!;
}

export function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

export function activeCounts(days: readonly TradedDay[], fromValue: number, toValue: number): number[] {
  return days
    .filter(({ value }) => value >= fromValue && value < toValue)
    .map(({ brokers }) => brokers.length);
}

/** Average part of the day's value that the largest buyer, the second largest and so on bought. */
export function buySharesByRank(days: readonly TradedDay[], ranks: number): number[] {
  return Array.from({ length: ranks }, (_, rank) => mean(days.map((day) => buyShares(day)[rank] ?? 0)));
}

export function top5BuyShares(days: readonly TradedDay[]): number[] {
  return days.map((day) =>
    buyShares(day)
      .slice(0, 5)
      .reduce((sum, share) => sum + share, 0),
  );
}

/** Combined net buying of a day's net buyers, as a part of its value. */
export function netBuying(days: readonly TradedDay[]): number[] {
  return days.map(({ brokers, value }) =>
    brokers.reduce((sum, { buyValue, sellValue }) => sum + Math.max(0, buyValue - sellValue) / value, 0),
  );
}

/** (buy - sell) / (buy + sell) of each row. */
export function imbalances(days: readonly TradedDay[]): number[] {
  return days.flatMap(({ brokers }) =>
    brokers.map(({ buyValue, sellValue }) => (buyValue - sellValue) / (buyValue + sellValue)),
  );
}

/** A broker's average buying price relative to the day's, for each row. */
export function buyPriceGaps(days: readonly TradedDay[]): number[] {
  return days.flatMap(({ brokers, value, volume }) =>
    brokers
      .filter(({ buyShares }) => buyShares > 0)
      .map(({ buyShares, buyValue }) => buyValue / buyShares / (value / volume) - 1),
  );
}

/** Net buying of the selected brokers in shares, as a part of each day's volume. */
export function netParts(days: readonly TradedDay[], isMeant: (broker: BrokerDay) => boolean): number[] {
  return days.map(({ brokers, volume }) =>
    brokers
      .filter(isMeant)
      .reduce((sum, { buyShares, sellShares }) => sum + (buyShares - sellShares) / volume, 0),
  );
}

/** The selected brokers' part of all buying and selling, day by day. */
export function parts(days: readonly TradedDay[], isMeant: (broker: BrokerDay) => boolean): number[] {
  return days.map(({ brokers, value }) =>
    brokers
      .filter(isMeant)
      .reduce((sum, { buyValue, sellValue }) => sum + (buyValue + sellValue) / 2 / value, 0),
  );
}

/** Correlation of each broker's net buying with that of the stock's previous day, averaged over the brokers. */
export function persistence(days: readonly TradedDay[], codes: readonly string[]): number {
  return mean(
    codes.map((code) => {
      const net = netParts(days, (broker) => broker.code === code);
      return correlation(net.slice(1), net.slice(0, -1));
    }),
  );
}

/** Lengths of runs of a stock's days on which a broker was on the same side. Days without the broker do not count. */
export function streaks(days: readonly TradedDay[]): number[] {
  const ended: number[] = [];
  const running = new Map<string, { sign: number; length: number }>();
  for (const { brokers } of days) {
    for (const { code, buyShares, sellShares } of brokers) {
      const sign = Math.sign(buyShares - sellShares);
      const streak = running.get(code);
      if (sign === 0) continue;
      if (streak?.sign === sign) streak.length++;
      else {
        if (streak) ended.push(streak.length);
        running.set(code, { sign, length: 1 });
      }
    }
  }
  return [...ended, ...[...running.values()].map(({ length }) => length)];
}

function buyShares({ brokers, value }: TradedDay): number[] {
  return brokers.map(({ buyValue }) => buyValue / value).sort((a, b) => b - a);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REAL_BROKER_ROWS } from '../real-market/real-archive.ts';
import type { BrokerClass, CsvBrokerRow, StockBrokers } from './figures-of-brokers.ts';

const REFERENCE = path.join(path.dirname(REAL_BROKER_ROWS), 'brokers_reference.csv');

/** The lines of a file of broker rows by stock and day, and the classes of brokers. */
export class RawBrokers {
  readonly #rows = new Map<string, CsvBrokerRow[]>();
  readonly #classes = new Map<string, BrokerClass>();

  constructor(csv: string) {
    for (const line of csv.trim().split('\n').slice(1)) {
      const [, ticker, date, , , broker, , ...amounts] = line.split(',');
      const [buyShares, buyValue, sellShares, sellValue] = amounts.map(Number) as [
        number,
        number,
        number,
        number,
      ];
      const key = `${ticker} ${date}`;
      const rows = this.#rows.get(key) ?? [];
      rows.push({ date: date!, broker: broker!, buyShares, buyValue, sellShares, sellValue });
      this.#rows.set(key, rows);
    }
    for (const line of readFileSync(REFERENCE, 'utf8').trim().split('\n').slice(1)) {
      const [code, , , , isRetail, isForeign] = line.split(',');
      this.#classes.set(code!, isRetail === '1' ? 'retail' : isForeign === '1' ? 'foreign' : 'bandar');
    }
  }

  of(ticker: string): StockBrokers {
    return {
      rowsOn: (date) => this.#rows.get(`${ticker} ${date}`) ?? [],
      classOf: (broker) => this.#classes.get(broker) ?? 'bandar',
    };
  }
}

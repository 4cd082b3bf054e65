import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { REAL_BROKER_ROWS } from './real-archive.ts';

const REFERENCE = path.join(path.dirname(REAL_BROKER_ROWS), 'brokers_reference.csv');

/** A broker's trades in a stock on a day, as in the file of real rows. */
export interface CsvBrokerRow {
  date: string;
  broker: string;
  buyShares: number;
  buyValue: number;
  sellShares: number;
  sellValue: number;
}

type BrokerClass = 'retail' | 'foreign' | 'bandar';

/** The real broker rows of one stock and the classes of its brokers, read by the simplest possible code. */
export class CsvBrokers {
  readonly #rows: CsvBrokerRow[];
  readonly #classes = new Map<string, BrokerClass>();

  constructor(ticker: string) {
    this.#rows = linesOf(gunzipSync(readFileSync(REAL_BROKER_ROWS)).toString())
      .filter(([, of]) => of === ticker)
      .map((fields) => {
        const [buyShares, buyValue, sellShares, sellValue] = fields.slice(7).map(Number) as Four;
        return { date: fields[2]!, broker: fields[5]!, buyShares, buyValue, sellShares, sellValue };
      });
    for (const [code, , , , isRetail, isForeign] of linesOf(readFileSync(REFERENCE, 'utf8'))) {
      this.#classes.set(code!, isRetail === '1' ? 'retail' : isForeign === '1' ? 'foreign' : 'bandar');
    }
  }

  /** The rows of some days, optionally of one broker only. */
  on(dates: string[], broker?: string): CsvBrokerRow[] {
    return this.#rows.filter((row) => dates.includes(row.date) && row.broker === (broker ?? row.broker));
  }

  /** Value that a class of brokers bought minus what it sold on some days, IDR. */
  net(of: BrokerClass, dates: string[]): number {
    return netValue(this.on(dates).filter(({ broker }) => this.classOf(broker) === of));
  }

  classOf(broker: string): BrokerClass {
    return this.#classes.get(broker) ?? 'bandar';
  }
}

type Four = [number, number, number, number];

/** One row for each broker, with the sums over all of its rows. */
export function byBroker(rows: CsvBrokerRow[]): CsvBrokerRow[] {
  return [...Map.groupBy(rows, ({ broker }) => broker).values()].map((own) => ({
    ...own.at(-1)!,
    buyShares: sumOf(own, ({ buyShares }) => buyShares),
    buyValue: sumOf(own, ({ buyValue }) => buyValue),
    sellShares: sumOf(own, ({ sellShares }) => sellShares),
    sellValue: sumOf(own, ({ sellValue }) => sellValue),
  }));
}

export function netValue(rows: CsvBrokerRow[]): number {
  return sumOf(rows, ({ buyValue, sellValue }) => buyValue - sellValue);
}

function sumOf(rows: CsvBrokerRow[], figure: (row: CsvBrokerRow) => number): number {
  return rows.reduce((sum, row) => sum + figure(row), 0);
}

function linesOf(csv: string): string[][] {
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(','));
}

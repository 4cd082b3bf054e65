import { Random } from '../random.ts';
import { STREAMS } from '../streams.ts';
import type { BrokerMonth, Brokers } from './brokers.ts';
import { fillNormal } from './quick-draws.ts';

/**
 * Deviation of the logarithm of what a broker trades in a stock, against its share of the market: for ever, and for a
 * month. By LOCAL, RETAIL, FOREIGN.
 */
const LASTING = [0.65, 0.4, 0.75];
const MONTHLY = [0.4, 0.2, 0.4];

/** How much each broker trades in a stock in a month. */
export class StockAffinity {
  /** By broker: logarithm of its usual part in the stock turned to, but for a constant; -Infinity for none. */
  readonly logWeight: Float64Array;
  readonly #seed: number;
  readonly #classes: Uint8Array;
  readonly #month: number;
  readonly #logShare: Float64Array;
  readonly #lasting: Float64Array;
  readonly #monthly: Float64Array;

  constructor(seed: number, brokers: Brokers, month: number, { logShare }: BrokerMonth) {
    this.#seed = seed;
    this.#classes = brokers.class;
    this.#month = month;
    this.#logShare = logShare;
    this.logWeight = new Float64Array(logShare.length);
    this.#lasting = new Float64Array(logShare.length);
    this.#monthly = new Float64Array(logShare.length);
  }

  turnTo(stock: readonly number[]): void {
    const [lasting, monthly] = [this.#lasting, this.#monthly];
    fillNormal(new Random(this.#seed, STREAMS.brokerAffinity, ...stock), lasting);
    fillNormal(new Random(this.#seed, STREAMS.brokerMood, ...stock, this.#month), monthly);
    for (let i = 0; i < lasting.length; i++) {
      const own = this.#classes[i]!;
      this.logWeight[i] = this.#logShare[i]! + LASTING[own]! * lasting[i]! + MONTHLY[own]! * monthly[i]!;
    }
  }
}

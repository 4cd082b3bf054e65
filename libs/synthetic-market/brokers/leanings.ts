import { Random } from '#quant/random.ts';
import { STREAMS } from '../streams.ts';
import type { Brokers, BrokerMonth } from './brokers.ts';
import { fillNormal } from './quick-draws.ts';

/**
 * The side that each broker leans to in one stock, in standard deviations: one AR(1) process per broker over the stock's traded
 * days. Innovations depend on the seed, stock and day, so two walks that both start long enough before a day agree on it.
 */
export class Leanings {
  readonly #seed: number;
  readonly #persistence: Float64Array;
  /** Standard deviation of an innovation. */
  readonly #step: Float64Array;
  readonly #innovation: Float64Array;
  #isFresh = true;
  /** By broker. */
  readonly level: Float64Array;

  constructor(seed: number, { codes, persistence }: Brokers) {
    this.#seed = seed;
    this.#persistence = persistence;
    this.#step = persistence.map((rho) => Math.sqrt(1 - rho * rho));
    this.#innovation = new Float64Array(codes.length);
    this.level = new Float64Array(codes.length);
  }

  /** Resets the process: the next day starts in the stationary state. */
  reset(): void {
    this.#isFresh = true;
  }

  /** Advances to the stock's next traded day. */
  next(stock: readonly number[], epochDay: number): void {
    const [level, innovation] = [this.level, this.#innovation];
    fillNormal(new Random(this.#seed, STREAMS.brokerLeaning, ...stock, epochDay), innovation);
    if (this.#isFresh) level.set(innovation);
    else {
      for (let i = 0; i < level.length; i++) {
        level[i] = this.#persistence[i]! * level[i]! + this.#step[i]! * innovation[i]!;
      }
    }
    this.#isFresh = false;
  }
}

/**
 * Standard deviation of the logarithm of a broker's trading in a stock relative to its share of the market: the lasting part
 * and the part that changes monthly. By LOCAL, RETAIL, FOREIGN.
 */
const LASTING = [0.65, 0.4, 0.75];
const MONTHLY = [0.4, 0.2, 0.4];

/** How much each broker trades in a stock in a month. */
export class StockAffinity {
  /** By broker: logarithm of its usual part in the selected stock, up to a constant; -Infinity if it has none. */
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

/**
 * A ticker as words of a random stream's key, four letters per word. A stock's broker rows depend on its code and not on its
 * place in a dataset, which changes when another stock is listed.
 */
export function stockKey(ticker: string): number[] {
  const words: number[] = [];
  for (let at = 0; at < ticker.length; at += 4) {
    let word = 0;
    for (let i = at; i < Math.min(at + 4, ticker.length); i++)
      word = (word << 8) | (ticker.charCodeAt(i) & 0xff);
    words.push(word);
  }
  return words;
}

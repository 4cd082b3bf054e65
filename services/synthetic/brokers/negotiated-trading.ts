import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import { Random } from '#quant/random.ts';
import { STREAMS } from '../streams.ts';
import { bothSides, type BothSides, type BrokerRows } from './broker-rows.ts';
import { shareOut } from './share-out.ts';

/** A day of a stock on the negotiated market: whole shares, odd lots too, and whole IDR. */
interface NegotiatedDay {
  epochDay: number;
  volume: number;
  value: number;
  /** Number of deals. */
  frequency: number;
}

export function negotiatedDay(columns: PanelColumns, row: number, epochDay: number): NegotiatedDay {
  return {
    epochDay,
    volume: Math.round(columns.nego_volume[row]!),
    value: Math.round(columns.nego_value[row]!),
    frequency: columns.nego_frequency[row]!,
  };
}

/** How often one house finds buyer and seller among its own clients. */
const CROSSES = 0.6;
/** More deals than this are pieces of the same few. */
const MAX_DEALS = 4;
/** Deviation of the logarithm of a deal's size. */
const DEAL_SIZE = 1;
/** How much a stock's deals keep to a few houses: deviation of the logarithm of a house's weight in a stock. */
const LOYALTY = 1.5;

/** The brokers' rows of single stock-days on the negotiated market. */
export class NegotiatedTrading {
  readonly #seed: number;
  readonly #sides: BothSides;
  /** Weights of the houses in the stock, each with those before it. */
  readonly #cumulated: Float64Array;
  readonly #dealWeight = new Float64Array(MAX_DEALS);
  readonly #dealShares = new Float64Array(MAX_DEALS);
  readonly #dealValue = new Float64Array(MAX_DEALS);

  constructor(seed: number, brokerCount: number) {
    this.#seed = seed;
    this.#sides = bothSides(brokerCount);
    this.#cumulated = new Float64Array(brokerCount);
  }

  /** Turns to a stock; `crossing` is each house's weight in the market. */
  turnTo(stock: readonly number[], crossing: Float64Array): void {
    const random = new Random(this.#seed, STREAMS.brokerNego, ...stock);
    let sum = 0;
    for (let i = 0; i < crossing.length; i++) {
      sum += crossing[i]! * Math.exp(LOYALTY * random.normal());
      this.#cumulated[i] = sum;
    }
  }

  /** Adds rows of a day of the stock turned to, that add up to its volume and value. */
  append(stock: readonly number[], ticker: number, day: NegotiatedDay, rows: BrokerRows): void {
    const random = new Random(this.#seed, STREAMS.brokerNego, ...stock, day.epochDay);
    const { buyUnits, buyValue, sellUnits, sellValue } = this.#sides;
    for (const side of [buyUnits, buyValue, sellUnits, sellValue]) side.fill(0);
    const deals = this.#drawDeals(random, day);
    for (let deal = 0; deal < deals; deal++) {
      const buyer = this.#drawHouse(random);
      const seller = random.chance(CROSSES) ? buyer : this.#drawHouse(random);
      buyUnits[buyer]! += this.#dealShares[deal]!;
      buyValue[buyer]! += this.#dealValue[deal]!;
      sellUnits[seller]! += this.#dealShares[deal]!;
      sellValue[seller]! += this.#dealValue[deal]!;
    }
    rows.add({ ticker, epochDay: day.epochDay, isNego: true }, this.#sides, 1);
  }

  /** Sets shares and values of the day's deals, all at about the day's average price; how many there are. */
  #drawDeals(random: Random, { volume, value, frequency }: NegotiatedDay): number {
    const deals = Math.max(1, Math.min(frequency, 1 + random.below(MAX_DEALS), volume));
    this.#dealWeight.fill(0);
    for (let deal = 0; deal < deals; deal++) this.#dealWeight[deal] = Math.exp(DEAL_SIZE * random.normal());
    shareOut(volume, this.#dealWeight, random.uniform(), this.#dealShares);
    shareOut(value, this.#dealShares, random.uniform(), this.#dealValue);
    return deals;
  }

  #drawHouse(random: Random): number {
    const place = random.uniform() * this.#cumulated.at(-1)!;
    return Math.max(
      0,
      this.#cumulated.findIndex((cumulated) => place < cumulated),
    );
  }
}

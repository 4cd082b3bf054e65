import { LOT_SHARES } from '#quant/exchange/exchange.ts';
import { Random } from '#quant/random.ts';
import { STREAMS } from '../streams.ts';
import { bothSides, type BothSides, type BrokerRows } from './broker-rows.ts';
import { RETAIL, type Brokers } from './brokers.ts';
import { fillNormal } from './quick-draws.ts';
import { SideWeights, type RegularDay, type BrokersOfDay } from './side-weights.ts';
import { shareOut, shareOutValue } from './share-out.ts';

/**
 * How far from the day's average a broker's own lies, in parts of the day's range: so much, and more the less it
 * trades. Many small orders come nearer to the average than few large ones.
 */
const PRICE_SPREAD = 0.12;
const PRICE_SPREAD_OF_SMALL = 0.1;
const SMALL_PART = 0.004;
const RETAIL_PRICE_SPREAD = 0.75;

/** The brokers' rows of single stock-days on the regular market. */
export class RegularTrading {
  readonly #seed: number;
  readonly #brokers: Brokers;
  readonly #weights: SideWeights;
  readonly #sides: BothSides;
  readonly #noise: Float64Array;
  readonly #prices: Float64Array;

  constructor(seed: number, brokers: Brokers) {
    this.#seed = seed;
    this.#brokers = brokers;
    this.#weights = new SideWeights(brokers);
    this.#sides = bothSides(brokers.codes.length);
    this.#noise = new Float64Array(brokers.codes.length);
    this.#prices = new Float64Array(brokers.codes.length);
  }

  /** Adds rows that add up to the day's volume and value; `stock` is the stock's part of every random stream. */
  append(
    stock: readonly number[],
    ticker: number,
    day: RegularDay,
    brokers: BrokersOfDay,
    rows: BrokerRows,
  ): void {
    const random = new Random(this.#seed, STREAMS.brokerDay, ...stock, day.epochDay);
    // Lots at prices in whole IDR make values in hundreds; what does not, is split to the share and the rupiah.
    const inLots = day.volume % LOT_SHARES === 0 && day.value % LOT_SHARES === 0;
    const unit = inLots ? LOT_SHARES : 1;
    const units = day.volume / unit;
    this.#weights.draw(random, day, 2 * Math.min(units, Math.max(1, day.frequency)), brokers);
    const { buyUnits, buyValue, sellUnits, sellValue } = this.#sides;
    shareOut(units, this.#weights.buy, random.uniform(), buyUnits);
    shareOut(units, this.#weights.sell, random.uniform(), sellUnits);
    this.#shareOutValue(random, day, unit, buyUnits, buyValue);
    this.#shareOutValue(random, day, unit, sellUnits, sellValue);
    rows.add({ ticker, epochDay: day.epochDay, isNego: false }, this.#sides, unit);
  }

  #shareOutValue(
    random: Random,
    { volume, value, low, high }: RegularDay,
    unit: number,
    units: Float64Array,
    into: Float64Array,
  ): void {
    fillNormal(random, this.#noise);
    for (let i = 0; i < units.length; i++) {
      const part = (units[i]! * unit) / volume;
      const spread = PRICE_SPREAD + PRICE_SPREAD_OF_SMALL / (1 + part / SMALL_PART);
      const own = this.#brokers.class[i] === RETAIL ? RETAIL_PRICE_SPREAD * spread : spread;
      this.#prices[i] = value / volume + own * this.#noise[i]! * (high - low);
    }
    shareOutValue({ units, prices: this.#prices, low, high, value: value / unit }, into);
  }
}

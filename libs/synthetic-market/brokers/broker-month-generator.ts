import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { type BrokerRows, bothSides, type BothSides } from './broker-row-buffer.ts';
import { brokerMonth, type BrokerMonth, type Brokers, RETAIL } from './brokers.ts';
import { campaignOn, campaignsOf, firstEpochDay, monthNumber } from './campaigns.ts';
import { Leanings, StockAffinity, stockKey } from './leanings.ts';
import { regularDay, SideWeights, type RegularDay, type BrokersOfDay } from './side-weights.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import { Random } from '#quant/random.ts';
import { STREAMS } from '../streams.ts';
import { shareOut, shareOutValue } from './share-out.ts';
import { LOT_SHARES } from '#quant/exchange/exchange.ts';
import { fillNormal } from './quick-draws.ts';

/**
 * Days before a month from which leanings are computed. By the first day of the month almost nothing of their start is left.
 */
export const BURN_IN_DAYS = 14;

/** The days whose bars a month's generator needs; `month` is `YYYY-MM`. */
export function spanOfMonth(month: string): { firstDate: string; lastDate: string } {
  const number = monthNumber(month);
  return {
    firstDate: isoFromEpochDay(firstEpochDay(number) - BURN_IN_DAYS),
    lastDate: isoFromEpochDay(firstEpochDay(number + 1) - 1),
  };
}

/**
 * Generates the broker rows of one month of a market so that they add up to its bars. The rows of a day depend only on the
 * seed, the broker table, the ticker and the stock's own bars from BURN_IN_DAYS before the month up to that day.
 */
export class BrokerMonthGenerator {
  readonly #seed: number;
  readonly #brokers: Brokers;
  readonly #panel: Panel;
  readonly #epochDays: Int32Array;
  readonly #month: number;
  readonly #brokerMonth: BrokerMonth;
  readonly #affinity: StockAffinity;
  readonly #leanings: Leanings;
  readonly #regular: RegularTrading;
  readonly #negotiated: NegotiatedTrading;

  /**
   * @param panel holds at least the bars of `spanOfMonth`
   * @param month `YYYY-MM`
   */
  constructor(seed: number, brokers: Brokers, panel: Panel, month: string) {
    this.#seed = seed;
    this.#brokers = brokers;
    this.#panel = panel;
    this.#epochDays = Int32Array.from(panel.columns.dates, epochDayFromIso);
    this.#month = monthNumber(month);
    this.#brokerMonth = brokerMonth(brokers, month);
    this.#affinity = new StockAffinity(seed, brokers, this.#month, this.#brokerMonth);
    this.#leanings = new Leanings(seed, brokers);
    this.#regular = new RegularTrading(seed, brokers);
    this.#negotiated = new NegotiatedTrading(seed, brokers.codes.length);
  }

  /** Adds the rows of one stock, NEGO before REG within a day. */
  append(ticker: number, rows: BrokerRows): void {
    const { columns } = this.#panel;
    const firstDay = firstEpochDay(this.#month);
    const [from, to] = this.#rowsBetween(ticker, firstDay - BURN_IN_DAYS, firstEpochDay(this.#month + 1));
    if (from === to) return;
    const stock = stockKey(columns.tickers[ticker]!);
    this.#affinity.turnTo(stock);
    this.#negotiated.turnTo(stock, this.#brokerMonth.crossing);
    this.#leanings.reset();
    const campaigns = campaignsOf(this.#seed, stock, this.#month, this.#brokers);
    for (let row = from; row < to; row++) {
      const epochDay = this.#epochDays[columns.day[row]!]!;
      const [negotiated, regular] = [
        negotiatedDay(columns, row, epochDay),
        regularDay(columns, row, epochDay),
      ];
      const isWanted = epochDay >= firstDay;
      if (isWanted && negotiated.volume > 0) this.#negotiated.append(stock, ticker, negotiated, rows);
      if (regular.volume > 0) this.#leanings.next(stock, epochDay);
      if (!isWanted || regular.volume === 0) continue;
      const brokersOfDay = {
        logWeight: this.#affinity.logWeight,
        leaning: this.#leanings.level,
        campaign: campaignOn(campaigns, epochDay),
      };
      this.#regular.append(stock, ticker, regular, brokersOfDay, rows);
    }
  }

  /** The ticker's rows from `fromEpochDay` (inclusive) to `endEpochDay` (exclusive). */
  #rowsBetween(ticker: number, fromEpochDay: number, endEpochDay: number): [from: number, to: number] {
    const { offsets, day } = this.#panel.columns;
    let from = offsets[ticker]!;
    while (from < offsets[ticker + 1]! && this.#epochDays[day[from]!]! < fromEpochDay) from++;
    let to = from;
    while (to < offsets[ticker + 1]! && this.#epochDays[day[to]!]! < endEpochDay) to++;
    return [from, to];
  }
}

/** A day of a stock on the negotiated market: whole shares, including odd lots, and whole IDR. */
interface NegotiatedDay {
  epochDay: number;
  volume: number;
  value: number;
  /** Number of deals. */
  frequency: number;
}

function negotiatedDay(columns: PanelColumns, row: number, epochDay: number): NegotiatedDay {
  return {
    epochDay,
    volume: Math.round(columns.nego_volume[row]!),
    value: Math.round(columns.nego_value[row]!),
    frequency: columns.nego_frequency[row]!,
  };
}

/** Probability that one house crosses a deal between its own clients. */
const CROSSES = 0.6;
/** Further deals are treated as parts of these few. */
const MAX_DEALS = 4;
/** Standard deviation of the logarithm of a deal's size. */
const DEAL_SIZE = 1;
/** How much a stock's deals concentrate on a few houses: standard deviation of the logarithm of a house's weight in a stock. */
const LOYALTY = 1.5;

/** The brokers' rows of single stock-days on the negotiated market. */
class NegotiatedTrading {
  readonly #seed: number;
  readonly #sides: BothSides;
  /** Cumulative weights of the houses in the stock. */
  readonly #cumulated: Float64Array;
  readonly #dealWeight = new Float64Array(MAX_DEALS);
  readonly #dealShares = new Float64Array(MAX_DEALS);
  readonly #dealValue = new Float64Array(MAX_DEALS);

  constructor(seed: number, brokerCount: number) {
    this.#seed = seed;
    this.#sides = bothSides(brokerCount);
    this.#cumulated = new Float64Array(brokerCount);
  }

  /** Selects a stock; `crossing` is each house's weight in the market. */
  turnTo(stock: readonly number[], crossing: Float64Array): void {
    const random = new Random(this.#seed, STREAMS.brokerNego, ...stock);
    let sum = 0;
    for (let i = 0; i < crossing.length; i++) {
      sum += crossing[i]! * Math.exp(LOYALTY * random.normal());
      this.#cumulated[i] = sum;
    }
  }

  /** Adds rows of a day of the selected stock that add up to its volume and value. */
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

  /** Sets shares and values of the day's deals, all at about the day's average price, and returns their number. */
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

/**
 * How far a broker's average price is from the day's average, as parts of the day's range: a constant, plus more the less it
 * trades. Many small orders come closer to the average than a few large ones.
 */
const PRICE_SPREAD = 0.12;
const PRICE_SPREAD_OF_SMALL = 0.1;
const SMALL_PART = 0.004;
const RETAIL_PRICE_SPREAD = 0.75;

/** The brokers' rows of single stock-days on the regular market. */
class RegularTrading {
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

  /** Adds rows that add up to the day's volume and value. `stock` is the stock's part of the key of every random stream. */
  append(
    stock: readonly number[],
    ticker: number,
    day: RegularDay,
    brokers: BrokersOfDay,
    rows: BrokerRows,
  ): void {
    const random = new Random(this.#seed, STREAMS.brokerDay, ...stock, day.epochDay);
    // Lots at prices in whole IDR give values in hundreds. Other days are split down to single shares and rupiah.
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

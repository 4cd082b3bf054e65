import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import type { Random } from '#quant/random.ts';
import { FOREIGN, LOCAL, RETAIL, type Brokers } from './brokers.ts';
import { press, type CampaignDay } from './campaigns.ts';
import { fillNormal, kthLargest, fillGumbel } from './quick-draws.ts';

/** A day of a stock on the regular market: whole shares, whole IDR. What no source says of it is as usual. */
export interface RegularDay {
  epochDay: number;
  volume: number;
  value: number;
  high: number;
  low: number;
  /** Return relative to the reference price, as a fraction. */
  move: number;
  /** Number of trades. */
  frequency: number;
  /** Parts of the volume that foreign investors bought and sold, 0..1. */
  foreignBuyShare: number;
  foreignSellShare: number;
}

export function regularDay(columns: PanelColumns, row: number, epochDay: number): RegularDay {
  const [previous, close] = [columns.previous[row]!, columns.close[row]!];
  return {
    epochDay,
    volume: Math.round(columns.volume[row]!),
    value: Math.round(columns.value[row]!),
    high: columns.high[row]!,
    low: columns.low[row]!,
    move: previous > 0 ? close / previous - 1 : 0,
    frequency: columns.frequency[row]! || columns.volume[row]!,
    foreignBuyShare: shareOf(columns.foreign_buy[row]!, columns.volume[row]!),
    foreignSellShare: shareOf(columns.foreign_sell[row]!, columns.volume[row]!),
  };
}

function shareOf(part: number, whole: number): number {
  if (Number.isNaN(part)) return (USUAL_FOREIGN_PART - FOREIGN_OWN) / FOREIGN_CARRIED;
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}

/** The state of the brokers on a day of a stock; entries follow the brokers. */
export interface BrokersOfDay {
  /** Logarithm of each broker's usual part in the stock; -Infinity if it has none. */
  logWeight: Float64Array;
  /** The side that each broker leans to, in standard deviations. */
  leaning: Float64Array;
  campaign: CampaignDay | undefined;
}

/** Deviation of the logarithm of a broker's daily part. Quiet days deviate further than busy ones. */
const BUSY_DAY = 0.75;
const QUIET_DAY = 1.6;
/**
 * How far a broker leans, as the logarithm of buying relative to selling: a constant, plus more the less it trades. By LOCAL,
 * RETAIL, FOREIGN.
 */
const LEANING = [1.2, 0.4, 1.4];
const LEANING_OF_SMALL = [0.9, 1, 0.9];
/** The part of the stock's turnover at which a broker counts as small. */
const SMALL_PART = 1e-3;
const MAX_LEANING = 6;
/** Share of foreign houses in the turnover of the whole market. */
const USUAL_FOREIGN_PART = 0.29;
/** A broker that leans further than this trades only on one side. */
const ONE_SIDED = 2.5;

/** The part of each broker in a day's buying and in its selling of a stock. */
export class SideWeights {
  readonly buy: Float64Array;
  readonly sell: Float64Array;
  readonly #brokers: Brokers;
  readonly #active: ActiveBrokers;
  readonly #isActive: Uint8Array;
  readonly #noise: Float64Array;
  readonly #logWeight: Float64Array;
  readonly #size: Float64Array;
  readonly #classes: ClassTurnover = { buy: new Float64Array(3), sell: new Float64Array(3) };
  readonly #bought = new Float64Array(3);
  readonly #sold = new Float64Array(3);

  constructor(brokers: Brokers) {
    const count = brokers.codes.length;
    this.#brokers = brokers;
    this.#active = new ActiveBrokers(count);
    this.#isActive = new Uint8Array(count);
    this.#noise = new Float64Array(count);
    this.#logWeight = new Float64Array(count);
    this.#size = new Float64Array(count);
    this.buy = new Float64Array(count);
    this.sell = new Float64Array(count);
  }

  /** @param most the most brokers that the day's number of trades allows */
  draw(random: Random, day: RegularDay, most: number, brokers: BrokersOfDay): void {
    const { logWeight, leaning, campaign } = brokers;
    this.#attractForeign(day, logWeight);
    this.#active.draw(random, day.value, most, this.#logWeight, this.#isActive);
    if (campaign) for (const house of campaign.houses) this.#isActive[house] = 1;
    this.#drawSizes(random);
    this.#lean(leaning, campaign);
    this.#balance(random, day, campaign);
    if (campaign) press(campaign, this.#brokers, this.buy, this.sell);
  }

  /** Raises the weight of foreign houses where foreign investors trade much, and lowers it where they trade little. */
  #attractForeign({ foreignBuyShare, foreignSellShare }: RegularDay, logWeight: Float64Array): void {
    const part = usualForeignPart((foreignBuyShare + foreignSellShare) / 2);
    const attraction = Math.log(part / USUAL_FOREIGN_PART);
    for (let i = 0; i < logWeight.length; i++) {
      this.#logWeight[i] = logWeight[i]! + (this.#brokers.class[i] === FOREIGN ? attraction : 0);
    }
  }

  /** Sizes add up to 1. */
  #drawSizes(random: Random): void {
    const [size, noise] = [this.#size, this.#noise];
    fillNormal(random, noise);
    let sum = 0;
    for (let i = 0; i < size.length; i++) {
      const busy = noise[i]! * (noise[i]! > 0 ? BUSY_DAY : QUIET_DAY);
      size[i] = this.#isActive[i] === 1 ? Math.exp(this.#logWeight[i]! + busy) : 0;
      sum += size[i]!;
    }
    for (let i = 0; i < size.length; i++) size[i]! /= sum;
  }

  /** Splits sizes into buying and selling. The houses of a campaign lean only by the campaign. */
  #lean(leaning: Float64Array, campaign: CampaignDay | undefined): void {
    const { buy, sell } = this;
    const { class: classOf, leaningFactor } = this.#brokers;
    for (let i = 0; i < buy.length; i++) {
      const size = this.#size[i]!;
      buy[i] = sell[i] = 0;
      if (size === 0) continue;
      const own = classOf[i]!;
      const reach = LEANING[own]! + LEANING_OF_SMALL[own]! * Math.sqrt(SMALL_PART / size);
      const lean = Math.min(MAX_LEANING, reach) * leaningFactor[i]! * leaning[i]!;
      const bought = lean > ONE_SIDED ? 1 : lean < -ONE_SIDED ? 0 : 1 / (1 + Math.exp(-lean));
      buy[i] = size * bought;
      sell[i] = size * (1 - bought);
    }
    if (campaign) for (const house of campaign.houses) buy[house] = sell[house] = this.#size[house]!;
    // Few brokers may all lean to one side, but the other side needs at least one.
    for (const side of [buy, sell]) if (side.every((weight) => weight === 0)) side.set(this.#size);
  }

  /** Scales each class to what it bought and sold that day. */
  #balance(random: Random, day: RegularDay, campaign: CampaignDay | undefined): void {
    const [retail, local] = [this.#sizeOf(RETAIL), this.#sizeOf(LOCAL)];
    const signs = {
      foreignBuyShare: day.foreignBuyShare,
      foreignSellShare: day.foreignSellShare,
      move: day.move,
      retailPart: retail + local > 0 ? retail / (retail + local) : 0,
      campaignNet: campaign?.net ?? 0,
    };
    classTurnover(random, signs, this.#classes);
    this.#scale(this.buy, this.#bought, this.#classes.buy);
    this.#scale(this.sell, this.#sold, this.#classes.sell);
  }

  #sizeOf(which: number): number {
    let sum = 0;
    for (let i = 0; i < this.#size.length; i++) if (this.#brokers.class[i] === which) sum += this.#size[i]!;
    return sum;
  }

  /** A class without active brokers is skipped here; its share goes to the others when the day's total is split. */
  #scale(weights: Float64Array, present: Float64Array, wanted: Float64Array): void {
    const classOf = this.#brokers.class;
    present.fill(0);
    for (let i = 0; i < weights.length; i++) present[classOf[i]!]! += weights[i]!;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i]! > 0) weights[i]! *= wanted[classOf[i]!]! / present[classOf[i]!]!;
    }
  }
}

/**
 * Number of brokers that trade a stock on a day, by the stock's turnover in IDR, as counted on the exchange in steps of half a
 * decade (each given at its middle). The first two are a guess.
 */
const ACTIVE_BY_VALUE: readonly (readonly [valueIdr: number, brokers: number])[] = [
  [1e5, 2],
  [2e6, 6],
  [3e7, 15],
  [1.7e8, 18],
  [5.5e8, 24],
  [1.7e9, 38],
  [5.5e9, 48],
  [1.7e10, 56],
  [5.5e10, 65],
  [1.7e11, 73],
  [5.5e11, 77],
  [2e12, 83],
];
/** Brokers are drawn by their weight to this power, so that the probability grows more slowly than the weight. */
const EXPONENT = 0.6;
/** Standard deviation of the logarithm of the number of active brokers. */
const COUNT_NOISE = 0.07;

/** The usual number of brokers on a day of this turnover, interpolated linearly in the logarithm of turnover. */
function usualActiveCount(valueIdr: number): number {
  const [least, most] = [ACTIVE_BY_VALUE[0]!, ACTIVE_BY_VALUE.at(-1)!];
  if (valueIdr <= least[0]) return least[1];
  if (valueIdr >= most[0]) return most[1];
  let next = 1;
  while (ACTIVE_BY_VALUE[next]![0] < valueIdr) next++;
  const [fromValue, from] = ACTIVE_BY_VALUE[next - 1]!;
  const [toValue, to] = ACTIVE_BY_VALUE[next]!;
  return from + ((to - from) * Math.log(valueIdr / fromValue)) / Math.log(toValue / fromValue);
}

/** Draws the brokers that trade on a day. */
class ActiveBrokers {
  readonly #keys: Float64Array;
  readonly #reordered: Float64Array;

  constructor(brokerCount: number) {
    this.#keys = new Float64Array(brokerCount);
    this.#reordered = new Float64Array(brokerCount);
  }

  /**
   * Sets `into` to 1 for the brokers of the day and to 0 for the others.
   * @param most the most brokers that the day's number of trades allows
   * @param logWeight -Infinity for a broker that cannot trade
   */
  draw(random: Random, valueIdr: number, most: number, logWeight: Float64Array, into: Uint8Array): void {
    const keys = this.#keys;
    fillGumbel(random, keys);
    const wanted = Math.round(usualActiveCount(valueIdr) * Math.exp(COUNT_NOISE * random.normal()));
    for (let i = 0; i < keys.length; i++) keys[i]! += EXPONENT * logWeight[i]!;
    this.#reordered.set(keys);
    const count = Math.max(1, Math.min(wanted, most, keys.length));
    const threshold = Math.max(-Number.MAX_VALUE, kthLargest(this.#reordered, count));
    for (let i = 0; i < keys.length; i++) into[i] = keys[i]! >= threshold ? 1 : 0;
  }
}

/** What a stock-day reveals about its traders; shares are parts of its volume, 0..1. */
interface ClassSigns {
  foreignBuyShare: number;
  foreignSellShare: number;
  /** The day's return relative to the reference price, as a fraction. */
  move: number;
  /** Retail part of the usual trading of the day's retail and local houses. */
  retailPart: number;
  /** Net buying of campaigns, as a part of volume; negative while they distribute. */
  campaignNet: number;
}

/** Parts of the day's volume that each class bought and sold, by LOCAL, RETAIL, FOREIGN; each adds up to 1. */
interface ClassTurnover {
  buy: Float64Array;
  sell: Float64Array;
}

/*
 * Fitted to the brokers of a stock with much retail and some foreign trading, 2022 to 2024: class shares, deviations of
 * class nets, and the correlations of foreign net with the investors' own (0.76) and with retail net (-0.4).
 */
/** Foreign houses carry most of the foreign investors' trades, and a small part of other trades. */
const FOREIGN_CARRIED = 0.65;
const FOREIGN_OWN = 0.035;
const FOREIGN_SHARE_NOISE = 0.3;
const FOREIGN_OWN_NOISE = 0.6;
const FOREIGN_NET_CARRIED = 0.62;
/** Noise of net buying for other clients, in parts of their turnover, and its maximum in parts of the stock's turnover. */
const FOREIGN_NET_NOISE = 0.75;
const MAX_FOREIGN_NET_NOISE = 0.12;
/** Retail investors buy what foreigners sell, and buy falling stocks. */
const RETAIL_AGAINST_FOREIGN = -0.4;
const RETAIL_AGAINST_MOVE = -4.5;
const RETAIL_NET_NOISE = 0.42;
/** Part of the other side of a campaign that is retail; the rest is other local houses. */
const CAMPAIGN_FROM_RETAIL = 0.6;
/** No class trades entirely on one side. */
const MAX_ONE_SIDED_SHARE = 0.92;
const MIN_FOREIGN = 0.002;
const MAX_FOREIGN = 0.9;
const MAX_RETAIL_SHARE = 0.97;

/** Usual part of foreign houses in a day's turnover, given that of foreign investors. */
function usualForeignPart(investors: number): number {
  return FOREIGN_CARRIED * investors + FOREIGN_OWN;
}

/**
 * How much each class bought and sold on a day. Net buying of the three classes adds up to 0: foreign = 0.62 × the investors'
 * own + noise, retail = -0.4 foreign - k × return + noise, local = the rest.
 */
function classTurnover(random: Random, signs: ClassSigns, into: ClassTurnover): void {
  const { foreignBuyShare, foreignSellShare, move, retailPart, campaignNet } = signs;
  const carried = FOREIGN_CARRIED * Math.exp(FOREIGN_SHARE_NOISE * random.normal());
  const own = FOREIGN_OWN * Math.exp(FOREIGN_OWN_NOISE * random.normal());
  const foreign = clamp((carried * (foreignBuyShare + foreignSellShare)) / 2 + own, MIN_FOREIGN, MAX_FOREIGN);
  const retail = (1 - foreign) * clamp(retailPart, 1 - MAX_RETAIL_SHARE, MAX_RETAIL_SHARE);
  const local = 1 - foreign - retail;
  const foreignNoise = Math.min(MAX_FOREIGN_NET_NOISE, FOREIGN_NET_NOISE * foreign) * random.normal();
  const foreignNet = within(
    FOREIGN_NET_CARRIED * (foreignBuyShare - foreignSellShare) + foreignNoise,
    foreign,
  );
  const retailNet = within(
    RETAIL_AGAINST_FOREIGN * foreignNet +
      retail * (RETAIL_AGAINST_MOVE * move + RETAIL_NET_NOISE * random.normal()) -
      CAMPAIGN_FROM_RETAIL * campaignNet,
    retail,
  );
  // The rest may be more than the local houses can take. In that case scale down all net buying.
  const rest = Math.abs(foreignNet + retailNet);
  const fit = rest > 0 ? Math.min(1, (2 * MAX_ONE_SIDED_SHARE * local) / rest) : 1;
  set(into, FOREIGN, foreign, fit * foreignNet);
  set(into, RETAIL, retail, fit * retailNet);
  set(into, LOCAL, local, -fit * (foreignNet + retailNet));
}

function set({ buy, sell }: ClassTurnover, which: number, share: number, net: number): void {
  buy[which] = share + net / 2;
  sell[which] = share - net / 2;
}

function within(net: number, share: number): number {
  return clamp(net, -2 * MAX_ONE_SIDED_SHARE * share, 2 * MAX_ONE_SIDED_SHARE * share);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

import type { Random } from '../random.ts';
import { ActiveBrokers } from './active-brokers.ts';
import { FOREIGN, LOCAL, RETAIL, type Brokers } from './brokers.ts';
import { press, type CampaignDay } from './campaigns.ts';
import { classTurnover, usualForeignPart, type ClassTurnover } from './class-turnover.ts';
import { fillNormal } from './quick-draws.ts';
import type { RegularDay } from './regular-day.ts';

/** What the brokers bring to a day of a stock; entries follow the brokers. */
export interface BrokersOfDay {
  /** Logarithm of each broker's usual part in the stock, -Infinity for none. */
  logWeight: Float64Array;
  /** To which side each leans, in standard deviations. */
  leaning: Float64Array;
  campaign: CampaignDay | undefined;
}

/** Deviation of the logarithm of a broker's part from day to day: quiet days are quieter than busy ones are busy. */
const BUSY_DAY = 0.75;
const QUIET_DAY = 1.6;
/**
 * How far a broker leans, in the logarithm of buying against selling: so much, and more the less it trades. By LOCAL,
 * RETAIL, FOREIGN.
 */
const LEANING = [1.2, 0.4, 1.4];
const LEANING_OF_SMALL = [0.9, 1, 0.9];
/** The part in the stock's turnover at which a broker is small. */
const SMALL_PART = 1e-3;
const MOST_LEANING = 6;
/** Of foreign houses in the turnover of the whole market. */
const USUAL_FOREIGN_PART = 0.29;
/** Who leans further than this trades on one side alone. */
const ONE_SIDED = 2.5;

/** The parts of each broker in what is bought and in what is sold in a stock on a day. */
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

  /** @param most how many brokers there can be, given the day's trades */
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

  /** Foreign houses come to where foreign investors trade. */
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

  /** Splits sizes into buying and selling; the houses of a campaign lean by the campaign alone. */
  #lean(leaning: Float64Array, campaign: CampaignDay | undefined): void {
    const { buy, sell } = this;
    const { class: classOf, leaningFactor } = this.#brokers;
    for (let i = 0; i < buy.length; i++) {
      const size = this.#size[i]!;
      buy[i] = sell[i] = 0;
      if (size === 0) continue;
      const own = classOf[i]!;
      const reach = LEANING[own]! + LEANING_OF_SMALL[own]! * Math.sqrt(SMALL_PART / size);
      const lean = Math.min(MOST_LEANING, reach) * leaningFactor[i]! * leaning[i]!;
      const bought = lean > ONE_SIDED ? 1 : lean < -ONE_SIDED ? 0 : 1 / (1 + Math.exp(-lean));
      buy[i] = size * bought;
      sell[i] = size * (1 - bought);
    }
    if (campaign) for (const house of campaign.houses) buy[house] = sell[house] = this.#size[house]!;
    // Few brokers may all lean to one side; somebody has to be on the other.
    for (const side of [buy, sell]) if (side.every((weight) => weight === 0)) side.set(this.#size);
  }

  /** Brings each class to what it bought and sold that day. */
  #balance(random: Random, day: RegularDay, campaign: CampaignDay | undefined): void {
    const [retail, local] = [this.#sizeOf(RETAIL), this.#sizeOf(LOCAL)];
    const signs = {
      ...{ foreignBuyShare: day.foreignBuyShare, foreignSellShare: day.foreignSellShare, move: day.move },
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

  /** What a class should do in which nobody is active is done by the others, when the day's whole is split. */
  #scale(weights: Float64Array, present: Float64Array, wanted: Float64Array): void {
    const classOf = this.#brokers.class;
    present.fill(0);
    for (let i = 0; i < weights.length; i++) present[classOf[i]!]! += weights[i]!;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i]! > 0) weights[i]! *= wanted[classOf[i]!]! / present[classOf[i]!]!;
    }
  }
}

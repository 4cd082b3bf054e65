import { epochDayFromIso } from '#foundation/iso-day.ts';
import { Random } from '#quant/random.ts';
import { STREAMS } from '../streams.ts';
import { LOCAL, type Brokers } from './brokers.ts';

/** One to three local houses that buy a stock for weeks and later sell it again. Days are since 1970-01-01. */
export interface Campaign {
  houses: readonly number[];
  gatherFrom: number;
  gatherTo: number;
  distributeFrom: number;
  distributeTo: number;
  /** Daily net buying while they gather, and net selling while they distribute, as a part of the stock's turnover. */
  strength: number;
}

export interface CampaignDay {
  houses: readonly number[];
  /** Net buying as a part of the stock's turnover, negative while they distribute. */
  net: number;
}

/** Share of stock-months in which a campaign begins. Most campaigns last into the next month. */
const BEGINS = 0.03;
/** 10 to 30 trading days are 14 to 42 of the calendar. */
const MIN_DAYS = 14;
const MAX_DAYS = 42;
const MAX_PAUSE_DAYS = 30;
const STRENGTH = [0.05, 0.15] as const;
const MAX_HOUSES = 3;
/** A campaign that began more months ago is over: it takes at most 28 + 42 + 30 + 42 days. */
const MONTHS_BACK = 5;
/** What the houses trade on the other side at the same time, relative to what they gather. */
const OTHER_SIDE = 0.25;
/** The houses cannot be all of the local trading: other local houses keep at least a fifth. */
const MAX_SHARE_OF_LOCAL = 0.8;

/** Campaigns of a stock that may overlap a month. */
export function campaignsOf(
  seed: number,
  stock: readonly number[],
  month: number,
  brokers: Brokers,
): Campaign[] {
  const campaigns: Campaign[] = [];
  for (let began = month - MONTHS_BACK; began <= month; began++) {
    const random = new Random(seed, STREAMS.brokerCampaign, ...stock, began);
    if (!random.chance(BEGINS)) continue;
    const gatherFrom = firstEpochDay(began) + random.below(28);
    const days = MIN_DAYS + random.below(MAX_DAYS - MIN_DAYS + 1);
    const distributeFrom = gatherFrom + days + 1 + random.below(MAX_PAUSE_DAYS);
    campaigns.push({
      gatherFrom,
      gatherTo: gatherFrom + days - 1,
      distributeFrom,
      distributeTo: distributeFrom + days - 1,
      strength: random.between(...STRENGTH),
      houses: drawHouses(random, brokers),
    });
  }
  return campaigns;
}

/** The campaign of a stock on a day; if two overlap, the later one. */
export function campaignOn(campaigns: readonly Campaign[], epochDay: number): CampaignDay | undefined {
  for (let i = campaigns.length - 1; i >= 0; i--) {
    const { houses, strength, gatherFrom, gatherTo, distributeFrom, distributeTo } = campaigns[i]!;
    if (houses.length === 0) continue;
    if (epochDay >= gatherFrom && epochDay <= gatherTo) return { houses, net: strength };
    if (epochDay >= distributeFrom && epochDay <= distributeTo) return { houses, net: -strength };
  }
  return undefined;
}

/**
 * Makes the houses of a campaign net buyers or sellers by `net`, at the cost of other local houses. The total that local houses
 * buy and sell does not change.
 */
export function press(
  { houses, net }: CampaignDay,
  brokers: Brokers,
  buy: Float64Array,
  sell: Float64Array,
): void {
  const [pressed, other] = net > 0 ? [buy, sell] : [sell, buy];
  const wanted = Math.min(Math.abs(net), (MAX_SHARE_OF_LOCAL / (1 + OTHER_SIDE)) * sumOf(pressed, brokers));
  const least = Math.min(OTHER_SIDE * wanted, MAX_SHARE_OF_LOCAL * sumOf(other, brokers));
  giveTo(houses, wanted + least, brokers, pressed);
  giveTo(houses, least, brokers, other);
}

/** Sets the houses' combined share of the day to `part` and takes the difference from all other local houses. */
function giveTo(houses: readonly number[], part: number, brokers: Brokers, weights: Float64Array): void {
  const local = sumOf(weights, brokers);
  const held = houses.reduce((sum, house) => sum + weights[house]!, 0);
  if (held === 0 || held === local) return;
  const others = (local - part) / (local - held);
  for (let i = 0; i < weights.length; i++) {
    if (brokers.class[i] === LOCAL) weights[i]! *= houses.includes(i) ? part / held : others;
  }
}

function sumOf(weights: Float64Array, brokers: Brokers): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) if (brokers.class[i] === LOCAL) sum += weights[i]!;
  return sum;
}

function drawHouses(random: Random, brokers: Brokers): number[] {
  const wanted = 1 + random.below(MAX_HOUSES);
  const houses: number[] = [];
  for (const i of random.permutation(brokers.codes.length)) {
    if (houses.length === wanted) break;
    if (brokers.class[i] === LOCAL) houses.push(i);
  }
  return houses;
}

/** Months since 1970-01 of a month `YYYY-MM`. */
export function monthNumber(month: string): number {
  return (Number(month.slice(0, 4)) - 1970) * 12 + Number(month.slice(5, 7)) - 1;
}

/** Days since 1970-01-01 of the first day of a month. */
export function firstEpochDay(month: number): number {
  const [year, inYear] = [1970 + Math.floor(month / 12), (month % 12) + 1];
  return epochDayFromIso(`${year}-${String(inYear).padStart(2, '0')}-01`);
}

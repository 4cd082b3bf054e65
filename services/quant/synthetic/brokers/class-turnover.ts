import type { Random } from '../random.ts';
import { FOREIGN, LOCAL, RETAIL } from './brokers.ts';

/** What a stock-day tells about who traded; shares are parts of its volume, 0..1. */
export interface ClassSigns {
  foreignBuyShare: number;
  foreignSellShare: number;
  /** The day's return against the reference price, as a fraction. */
  move: number;
  /** Retail part of what the day's retail and local houses usually trade. */
  retailPart: number;
  /** Net buying of campaigns, as a part of volume; negative while they distribute. */
  campaignNet: number;
}

/** Parts of the day's volume that each class bought and sold, by LOCAL, RETAIL, FOREIGN; each adds up to 1. */
export interface ClassTurnover {
  buy: Float64Array;
  sell: Float64Array;
}

/*
 * Fitted to the brokers of a stock with much retail and some foreign trading, 2022 to 2024: class shares, deviations of
 * class nets, and the correlations of foreign net with the investors' own (0.76) and with retail net (-0.4).
 */
/** Foreign houses carry most of what foreign investors trade, and a little of the others'. */
const FOREIGN_CARRIED = 0.65;
const FOREIGN_OWN = 0.035;
const FOREIGN_SHARE_NOISE = 0.3;
const FOREIGN_OWN_NOISE = 0.6;
const FOREIGN_NET_CARRIED = 0.62;
/** Net buying for other clients, in parts of their turnover, and at most so much of the stock's. */
const FOREIGN_NET_NOISE = 0.75;
const MOST_FOREIGN_NET_NOISE = 0.12;
/** Retail investors buy what foreigners sell, and what falls. */
const RETAIL_AGAINST_FOREIGN = -0.4;
const RETAIL_AGAINST_MOVE = -4.5;
const RETAIL_NET_NOISE = 0.42;
/** Who is on the other side of a campaign: so much retail, the rest other local houses. */
const CAMPAIGN_FROM_RETAIL = 0.6;
/** No class is wholly on one side. */
const MOST_ONE_SIDED = 0.92;
const LEAST_FOREIGN = 0.002;
const MOST_FOREIGN = 0.9;
const MOST_RETAIL_PART = 0.97;

/** Part of foreign houses in a day's turnover, by that of foreign investors. */
export function usualForeignPart(investors: number): number {
  return FOREIGN_CARRIED * investors + FOREIGN_OWN;
}

/**
 * Who bought and sold how much of a day. Net buying of the three classes adds up to 0:
 * foreign = 0.62 × the investors' own + noise, retail = -0.4 foreign - k × return + noise, local = the rest.
 */
export function classTurnover(random: Random, signs: ClassSigns, into: ClassTurnover): void {
  const { foreignBuyShare, foreignSellShare, move, retailPart, campaignNet } = signs;
  const carried = FOREIGN_CARRIED * Math.exp(FOREIGN_SHARE_NOISE * random.normal());
  const own = FOREIGN_OWN * Math.exp(FOREIGN_OWN_NOISE * random.normal());
  const foreign = clamp(
    (carried * (foreignBuyShare + foreignSellShare)) / 2 + own,
    LEAST_FOREIGN,
    MOST_FOREIGN,
  );
  const retail = (1 - foreign) * clamp(retailPart, 1 - MOST_RETAIL_PART, MOST_RETAIL_PART);
  const local = 1 - foreign - retail;
  const foreignNoise = Math.min(MOST_FOREIGN_NET_NOISE, FOREIGN_NET_NOISE * foreign) * random.normal();
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
  // What they leave to the local houses may be more than these can take: then all of it is less.
  const rest = Math.abs(foreignNet + retailNet);
  const fit = rest > 0 ? Math.min(1, (2 * MOST_ONE_SIDED * local) / rest) : 1;
  set(into, FOREIGN, foreign, fit * foreignNet);
  set(into, RETAIL, retail, fit * retailNet);
  set(into, LOCAL, local, -fit * (foreignNet + retailNet));
}

function set({ buy, sell }: ClassTurnover, which: number, share: number, net: number): void {
  buy[which] = share + net / 2;
  sell[which] = share - net / 2;
}

function within(net: number, share: number): number {
  return clamp(net, -2 * MOST_ONE_SIDED * share, 2 * MOST_ONE_SIDED * share);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

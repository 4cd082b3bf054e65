import { roundToTick } from '#quant/exchange/exchange.ts';

/**
 * A planned change of a company's share capital. Only its day is fixed in advance: what it is follows from the price of that day,
 * so that no earlier price has to lead up to it.
 */
export interface CorporateAction {
  /** Rights are offered to the holders; a regrouping is a split or a reverse split. */
  kind: 'rights' | 'regrouping';
  /** Index into the market's calendar. */
  day: number;
  /** 0..1 selects one of the ratios that suit the price. */
  draw: number;
}

/** New shares per old share: 5 for a 1:5 split, 0.1 for a 10:1 reverse split, 1.25 for one new on four old. */
const SPLIT_RATIOS = [2, 4, 5, 10];
const REVERSE_SPLIT_RATIOS = [1 / 5, 1 / 10];
const RIGHTS_RATIOS = [1.1, 1.25, 1.5];
/** Discount of the subscription price of rights to the market price. */
const RIGHTS_DISCOUNT = 0.25;
/** Companies split expensive shares, but not to a price below this one, IDR. */
const LOWEST_PRICE_AFTER_SPLIT = 120;
/** Companies merge shares cheaper than this, IDR. */
const MERGED_BELOW = 120;
/** Lowest price after a rights issue, IDR, so that none takes a price near the floor of 50. */
const LOWEST_PRICE_AFTER_RIGHTS = 60;

/** The overnight effect of an action. */
interface Restatement {
  /** The exchange's reference price of the day: the previous close, restated. */
  previous: number;
  listedShares: number;
}

/** Restates price and shares; null if no ratio suits the price, and the company leaves its shares as they are. */
export function restate(action: CorporateAction, close: number, listedShares: number): Restatement | null {
  const ratios = action.kind === 'rights' ? rightsRatios(close) : regroupingRatios(close);
  const ratio = ratios[Math.floor(action.draw * ratios.length)];
  if (ratio === undefined) return null;
  const previous = action.kind === 'rights' ? exRightsPrice(close, ratio) : roundToTick(close / ratio);
  return { previous, listedShares: Math.round(listedShares * ratio) };
}

function rightsRatios(close: number): number[] {
  return RIGHTS_RATIOS.filter((ratio) => exRightsPrice(close, ratio) >= LOWEST_PRICE_AFTER_RIGHTS);
}

function regroupingRatios(close: number): number[] {
  if (close < MERGED_BELOW) return REVERSE_SPLIT_RATIOS;
  return SPLIT_RATIOS.filter((ratio) => close / ratio >= LOWEST_PRICE_AFTER_SPLIT);
}

/** The theoretical ex-rights price: (close + new shares per old × subscription price) / shares after. */
function exRightsPrice(close: number, ratio: number): number {
  return roundToTick((close + (ratio - 1) * close * (1 - RIGHTS_DISCOUNT)) / ratio);
}

import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { brokerTotals } from '#quant/broker-rows/broker-totals.ts';
import { classTotals } from '#quant/broker-rows/class-totals.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { foreignNetValue, sumOverDays } from '#quant/panel/windows.ts';

/** The trades that decided: those of every broker, if there are no broker rows those of foreign investors, if no source says them none. */
export type SellerRule = 'brokers' | 'foreign' | 'none';

export interface SellerVerdict {
  rule: SellerRule;
  /** Whether sellers dominate. */
  isSoldOff: boolean;
}

interface SellerWindow {
  /** Exchange days. */
  days: number;
  /** How many times larger than buying the selling must be. A larger value drops fewer stocks. */
  dominance: number;
}

/** Share of the traded value. Net foreign selling above it weighs on the price. */
const FOREIGN_SELLING_SHARE = 0.1;
/**
 * Share of the traded value. Net selling by institutions and foreigners above it also weighs on the price while retail buys.
 */
const SMART_MONEY_SELLING_SHARE = 0.05;

/**
 * Whether sellers dominate `ticker` (index) over the last exchange days up to `day` (calendar index). Uses the broker rows of
 * the regular market if there are some for every day on which the stock traded, otherwise foreign trades.
 */
export function sellerVerdict(
  panel: Panel,
  flow: BrokerFlow,
  ticker: number,
  day: number,
  window: SellerWindow,
): SellerVerdict {
  const foreign = sumOverDays(panel, ticker, day, window.days, (row) => foreignNetValue(panel, row));
  const withoutRows = Number.isNaN(foreign) ? 'none' : 'foreign';
  const rule = hasRowsThroughout(panel, flow, ticker, day, window) ? 'brokers' : withoutRows;
  const isSoldOff =
    rule === 'brokers'
      ? brokersSell(panel, flow, ticker, day, window, foreign)
      : isSoldOffByForeigners(panel, ticker, day, window);
  return { rule, isSoldOff };
}

/**
 * The five largest net sellers sold more than `dominance` times what the five largest net buyers bought; or retail
 * brokers bought, net, while local institutions and foreign investors (by the exchange's own figures) sold more than
 * 5 % of the traded value.
 */
function brokersSell(
  panel: Panel,
  flow: BrokerFlow,
  ticker: number,
  day: number,
  { days, dominance }: SellerWindow,
  foreign: number,
): boolean {
  const span = { market: 'REG', ticker, firstDay: Math.max(0, day + 1 - days), lastDay: day } as const;
  const totals = classTotals(flow.columns.brokers, brokerTotals(panel, flow, span));
  if (-totals.top5SellerNetValue > dominance * totals.top5BuyerNetValue) return true;
  const traded = sumOverDays(panel, ticker, day, days, (row) => panel.columns.value[row]!);
  return totals.retailNetValue > 0 && foreign + totals.bandarNetValue < -SMART_MONEY_SELLING_SHARE * traded;
}

/**
 * Foreign investors were net sellers of more than 10 % of the traded value and sold at least `dominance` times what they
 * bought. Without broker rows the only known sides are foreign and domestic. False if no source says what they traded.
 */
export function isSoldOffByForeigners(
  panel: Panel,
  ticker: number,
  day: number,
  { days, dominance }: SellerWindow,
): boolean {
  const { foreign_buy, foreign_sell, volume, value } = panel.columns;
  const valueOf = (shares: Float64Array) => (row: number) =>
    volume[row] === 0 ? 0 : (shares[row]! * value[row]!) / volume[row]!;
  const bought = sumOverDays(panel, ticker, day, days, valueOf(foreign_buy));
  const sold = sumOverDays(panel, ticker, day, days, valueOf(foreign_sell));
  const traded = sumOverDays(panel, ticker, day, days, (row) => value[row]!);
  return sold - bought > FOREIGN_SELLING_SHARE * traded && sold >= dominance * bought;
}

function hasRowsThroughout(
  panel: Panel,
  flow: BrokerFlow,
  ticker: number,
  day: number,
  { days }: SellerWindow,
): boolean {
  const { volume, day: dayOf } = panel.columns;
  let hasAny = false;
  for (let row = panel.endRow(ticker, day - days); row < panel.endRow(ticker, day); row++) {
    if (volume[row] === 0) continue;
    const { from, to } = flow.rows('REG', ticker, dayOf[row]!);
    if (from === to) return false;
    hasAny = true;
  }
  return hasAny;
}

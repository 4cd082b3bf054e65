import type { Panel } from '../panel/panel.ts';
import { priceChangePct } from '../panel/price-change.ts';
import type { DailyNet } from './daily-net.ts';
import type { StockWindow } from './stock-window.ts';

/** What somebody did in a stock over a window, and how its price went. */
export interface WindowFlow {
  stock: StockWindow;
  /** IDR. */
  netValue: number;
  /** Shares in the terms of the stock's last row in the window. */
  netShares: number;
  /** 100 × net value / value traded; null when nothing was. */
  netToValuePct: number | null;
  /** Days of net buying and of net selling, by value. */
  buyDays: number;
  sellDays: number;
  /** Days on which the stock traded. */
  tradedDays: number;
  /** Close against the one before the window, adjusted, percent; null for a stock listed within the window. */
  priceChangePct: number | null;
  /** Of the window's last day, IDR: 0 when the stock did not trade on it, null when it has no row of it. */
  lastDayNetValue: number | null;
}

/**
 * The flow of a stock over a window; undefined when it is not known of a day on which the stock traded: part of a sum
 * is no sum. A day without trades counts as nothing, and as no day of buying or selling. Rows outside the window have
 * no influence but for the close before it.
 */
export function windowFlow(panel: Panel, net: DailyNet, stock: StockWindow): WindowFlow | undefined {
  const { ticker, from, end, firstDay, lastDay, tradedValue } = stock;
  const { day, volume } = panel.columns;
  const days = net(ticker, from, end);
  if (!days) return undefined;
  const lastRow = end - 1;
  let [netValue, netShares, buyDays, sellDays, tradedDays] = [0, 0, 0, 0, 0];
  for (let row = from; row < end; row++) {
    if (volume[row] === 0) continue;
    const dayNet = days.value[row - from]!;
    netValue += dayNet;
    netShares += days.shares[row - from]! * panel.shareScale(row, lastRow);
    tradedDays += 1;
    if (dayNet > 0) buyDays += 1;
    if (dayNet < 0) sellDays += 1;
  }
  const lastNet = volume[lastRow] === 0 ? 0 : days.value[lastRow - from]!;
  return {
    ...{ stock, netValue, netShares, buyDays, sellDays, tradedDays },
    netToValuePct: tradedValue > 0 ? (100 * netValue) / tradedValue : null,
    priceChangePct: priceChangePct(panel, ticker, firstDay, lastDay),
    lastDayNetValue: day[lastRow] === lastDay ? lastNet : null,
  };
}

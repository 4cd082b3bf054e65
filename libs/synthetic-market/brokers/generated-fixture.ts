import { isoFromEpochDay } from '#foundation/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { BROKERS } from './bars-fixture.ts';
import { BrokerMonthGenerator } from './broker-month-generator.ts';
import { BrokerRows } from './broker-row-buffer.ts';
import { brokersOf, type BrokerEntry } from './brokers.ts';

/** The trades of one broker in a stock on a day, in shares and IDR. */
export interface BrokerDay {
  code: string;
  /** LOCAL, RETAIL or FOREIGN. */
  class: number;
  buyShares: number;
  buyValue: number;
  sellShares: number;
  sellValue: number;
}

/** A stock-day with trades on a market, and the brokers that made them. */
export interface TradedDay {
  ticker: string;
  date: string;
  market: 'REG' | 'NEGO';
  volume: number;
  value: number;
  high: number;
  low: number;
  /** Return relative to the reference price. */
  move: number;
  /** Net buying of foreign investors as a part of the volume. */
  foreignNet: number;
  brokers: BrokerDay[];
}

interface ToGenerate {
  seed?: number;
  table?: readonly BrokerEntry[];
  /** `YYYY-MM`; all of the panel's months if absent. */
  months?: readonly string[];
  /** All of the panel's tickers if absent. */
  tickers?: readonly string[];
}

/** The stock-days of a panel with generated broker rows, by ticker, day and market, in the order of generation. */
export function generated(panel: Panel, wanted: ToGenerate = {}): TradedDay[] {
  const { seed = 1, table = BROKERS } = wanted;
  const { tickers, months } = { tickers: panel.columns.tickers, months: monthsOf(panel), ...wanted };
  const brokers = brokersOf(table);
  const rows = new BrokerRows(1);
  const days: TradedDay[] = [];
  for (const month of months) {
    const generator = new BrokerMonthGenerator(seed, brokers, panel, month);
    for (const ticker of tickers) {
      rows.clear();
      generator.append(panel.tickerIndex(ticker), rows);
      days.push(...tradedDays(panel, rows, brokers));
    }
  }
  return days;
}

function monthsOf(panel: Panel): string[] {
  return [...new Set(panel.columns.dates.map((date) => date.slice(0, 7)))];
}

function tradedDays(panel: Panel, rows: BrokerRows, brokers: ReturnType<typeof brokersOf>): TradedDay[] {
  const days: TradedDay[] = [];
  for (let i = 0; i < rows.length; i++) {
    const date = isoFromEpochDay(rows.epochDay[i]!);
    const market = rows.isNego[i] === 1 ? 'NEGO' : 'REG';
    const last = days.at(-1);
    if (last?.date !== date || last.market !== market) days.push(dayOf(panel, rows.ticker[i]!, date, market));
    days.at(-1)!.brokers.push({
      code: brokers.codes[rows.broker[i]!]!,
      class: brokers.class[rows.broker[i]!]!,
      buyShares: rows.buy_shares[i]!,
      buyValue: rows.buy_value[i]!,
      sellShares: rows.sell_shares[i]!,
      sellValue: rows.sell_value[i]!,
    });
  }
  return days;
}

function dayOf(panel: Panel, ticker: number, date: string, market: 'REG' | 'NEGO'): TradedDay {
  const { columns } = panel;
  const row = panel.rowAt(ticker, panel.dayOnOrBefore(date));
  const isNego = market === 'NEGO';
  return {
    ticker: columns.tickers[ticker]!,
    date,
    market,
    volume: (isNego ? columns.nego_volume : columns.volume)[row]!,
    value: (isNego ? columns.nego_value : columns.value)[row]!,
    high: columns.high[row]!,
    low: columns.low[row]!,
    move: columns.close[row]! / columns.previous[row]! - 1,
    foreignNet: (columns.foreign_buy[row]! - columns.foreign_sell[row]!) / columns.volume[row]!,
    brokers: [],
  };
}

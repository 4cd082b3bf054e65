import type { ExchangeColumn, ExchangeRows } from '#synthetic-market/exchange-rows.ts';
import { generateMarket } from '#synthetic-market/generate-market.ts';
import type { BarFixture } from './panel-fixture.ts';

/** The bars of an invented market, ordered by ticker and date. */
export function syntheticBars(options: { seed: number; tickers: number; days: number }): BarFixture[] {
  return [...generateMarket(options)]
    .flatMap(({ ticker, rows }) => barsOf(ticker, rows))
    .toSorted((a, b) => (a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : 0));
}

function barsOf(ticker: string, rows: ExchangeRows): BarFixture[] {
  const bars: BarFixture[] = [];
  for (const [i, date] of rows.date.entries()) {
    bars.push(
      bar({
        ticker,
        date,
        before: bars.at(-1),
        read: (column) => (column === 'bid' ? NaN : rows[column][i]!),
      }),
    );
  }
  return bars;
}

export type Column = ExchangeColumn | 'bid';

interface RawBar {
  ticker: string;
  date: string;
  before: BarFixture | undefined;
  /** NaN for what is not stated. */
  read: (column: Column) => number;
}

/** An action is a split from this ratio of listed shares on, if prices agree within the tolerance. */
const MIN_SPLIT = 1.25;
const SPLIT_TOLERANCE = 0.1;

/** Does as much of the importer's cleaning as screens need. */
export function bar({ ticker, date, before, read }: RawBar): BarFixture {
  const [previous, close, volume] = [read('previous'), read('close'), read('volume')];
  const [high, low] = volume > 0 ? [read('high'), read('low')] : [close, close];
  const open = read('open_price') || previous || close;
  const listed_shares = read('listed_shares');
  const priceRatio = before && before.close > 0 && previous > 0 ? previous / before.close : 1;
  const shareRatio = before?.listed_shares && listed_shares ? before.listed_shares / listed_shares : 1;
  const isSplit =
    Math.max(shareRatio, 1 / shareRatio) >= MIN_SPLIT &&
    Math.abs(shareRatio / priceRatio - 1) <= SPLIT_TOLERANCE;
  return {
    ticker,
    date,
    open: Math.max(low, Math.min(high, open)),
    high,
    low,
    close,
    previous,
    volume,
    listed_shares,
    factor: isSplit ? shareRatio : priceRatio,
    value: read('value'),
    frequency: read('frequency'),
    foreign_buy: read('foreign_buy'),
    foreign_sell: read('foreign_sell'),
    nego_volume: read('non_regular_volume'),
    nego_value: read('non_regular_value'),
    nego_frequency: read('non_regular_frequency'),
    share_factor: isSplit ? shareRatio : 1,
    bid: read('bid'),
  };
}

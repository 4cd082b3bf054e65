import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { barBatch, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { PanelBuilder } from '#market-reader/panel-builder.ts';
import { Panel } from '#quant/panel/panel.ts';
import { EXCHANGE_COLUMNS, type ExchangeColumn, type ExchangeRows } from '#synthetic-market/exchange-rows.ts';
import { generateMarket } from '#synthetic-market/generate-market.ts';

/** Markets for the tests of screens. */

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

type Column = ExchangeColumn | 'bid';

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
function bar({ ticker, date, before, read }: RawBar): BarFixture {
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

/** The same market with invalid values in every column after a day. */
export function poisonedAfter(bars: readonly BarFixture[], day: string): BarFixture[] {
  return bars.map((bar, i) => (bar.date <= day ? bar : nonsense(bar, i % 2 === 0 ? NaN : 1e9, i % 3)));
}

function nonsense({ ticker, date }: BarFixture, value: number, size: number): BarFixture {
  return {
    ticker,
    date,
    close: value,
    open: value,
    high: 1e9,
    low: value,
    previous: 1e9,
    volume: 1e9 * size,
    value: 1e15,
    frequency: 1e9,
    factor: 3,
    share_factor: 0.1,
    foreign_buy: value,
    foreign_sell: 1e9,
    nego_volume: 1e9,
    nego_value: 1e15,
    nego_frequency: 1e9,
    listed_shares: value,
    bid: value,
  };
}

/** The IDX daily archive from a day on as a panel, without days on which the exchange was closed. */
export async function realPanel(archive: string, from: string): Promise<Panel> {
  const files = createReadStream(archive).pipe(createGunzip()).pipe(extract());
  const batches = new Map<string, ReturnType<typeof barBatch>>();
  for await (const file of files) {
    const ticker = /bars\/([A-Z0-9-]+)\.csv$/.exec(file.header.name)?.[1];
    const content = await text(file);
    const bars = ticker === undefined ? [] : parseBars(ticker, content, from);
    if (bars.length > 0) batches.set(ticker!, barBatch(bars));
  }
  const builder = new PanelBuilder(1_000_000);
  for (const ticker of [...batches.keys()].toSorted()) builder.append(batches.get(ticker)!);
  return new Panel(builder.finish([]));
}

function parseBars(ticker: string, csv: string, from: string): BarFixture[] {
  const [header, ...lines] = csv.trimEnd().split('\n');
  const columns = header!.trim().split(',');
  const names: readonly Column[] = [...EXCHANGE_COLUMNS, 'bid'];
  const positions = Object.fromEntries(names.map((name) => [name, columns.indexOf(name)]));
  const bars: BarFixture[] = [];
  for (const line of lines) {
    const date = line.slice(0, 10);
    if (date < from || isWeekend(date)) continue;
    const fields = line.split(',');
    bars.push(
      bar({ ticker, date, before: bars.at(-1), read: (column) => Number(fields[positions[column]!]) }),
    );
  }
  return bars;
}

function isWeekend(isoDate: string): boolean {
  return [0, 6].includes(new Date(isoDate).getUTCDay());
}

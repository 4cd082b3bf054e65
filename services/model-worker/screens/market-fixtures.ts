import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { barBatch, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { PanelBuilder } from '#quant/panel/panel-builder.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { ExchangeRows } from '#quant/synthetic/exchange-rows.ts';
import { generateMarket } from '#quant/synthetic/generate-market.ts';

/** Markets for the tests of screens. */

/** The bars of an invented market, ordered by ticker and date. */
export function syntheticBars(options: { seed: number; tickers: number; days: number }): BarFixture[] {
  return [...generateMarket(options)]
    .flatMap(({ ticker, rows }) => barsOf(ticker, rows))
    .toSorted((a, b) => (a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : 0));
}

function barsOf(ticker: string, rows: ExchangeRows): BarFixture[] {
  return rows.date.map((date, i) => {
    const number = (column: Float64Array) => column[i]!;
    return bar(ticker, date, {
      previous: number(rows.previous),
      closeBefore: i === 0 ? number(rows.previous) : rows.close[i - 1]!,
      high: number(rows.high),
      low: number(rows.low),
      close: number(rows.close),
      volume: number(rows.volume),
      value: number(rows.value),
      foreign_buy: number(rows.foreign_buy),
      foreign_sell: number(rows.foreign_sell),
    });
  });
}

interface RawBar {
  previous: number;
  closeBefore: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  value: number;
  foreign_buy: number;
  foreign_sell: number;
}

/** Enough of the importer's cleaning for screens, which read neither opens nor negotiated trades. */
function bar(ticker: string, date: string, { closeBefore, ...raw }: RawBar): BarFixture {
  const { previous, close, volume } = raw;
  const prices = volume > 0 ? {} : { high: close, low: close };
  const factor = closeBefore > 0 && previous > 0 ? previous / closeBefore : 1;
  return { ...raw, ...prices, ticker, date, open: close, factor };
}

/** The IDX daily archive from a day on as a panel, without the days on which the exchange was closed. */
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
  const at = (name: string) => columns.indexOf(name);
  const positions = {
    ...{ previous: at('previous'), high: at('high'), low: at('low'), close: at('close') },
    ...{ volume: at('volume'), value: at('value') },
    ...{ foreign_buy: at('foreign_buy'), foreign_sell: at('foreign_sell') },
  };
  const bars: BarFixture[] = [];
  for (const line of lines) {
    const date = line.slice(0, 10);
    if (date < from || isWeekend(date)) continue;
    const fields = line.split(',');
    const raw = Object.fromEntries(
      Object.entries(positions).map(([name, position]) => [name, Number(fields[position])]),
    ) as unknown as RawBar;
    bars.push(bar(ticker, date, { ...raw, closeBefore: bars.at(-1)?.close ?? raw.previous }));
  }
  return bars;
}

function isWeekend(isoDate: string): boolean {
  return [0, 6].includes(new Date(isoDate).getUTCDay());
}

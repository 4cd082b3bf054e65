import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { emptyRows, EXCHANGE_COLUMNS, type ExchangeRows } from '../exchange-rows.ts';
import type { SyntheticTicker } from '../generate-market.ts';

/** The bars of an invented market, as the importer stores them except for adjustment factors. */
export function samplePanel(market: Iterable<SyntheticTicker>): Panel {
  return panelOf([...market].flatMap(({ ticker, rows }) => barsOf(ticker, rows)));
}

/** The bars of some stocks of the IDX daily archive, from a day on. */
export async function realPanel(archive: string, tickers: readonly string[], from: string): Promise<Panel> {
  const bars = new Map<string, BarFixture[]>();
  const files = createReadStream(archive).pipe(createGunzip()).pipe(extract());
  for await (const file of files) {
    const content = await text(file);
    const ticker = tickers.find((wanted) => file.header.name.endsWith(`bars/${wanted}.csv`));
    if (ticker !== undefined) bars.set(ticker, barsOf(ticker, parseRows(content, from)));
  }
  return panelOf(tickers.toSorted().flatMap((ticker) => bars.get(ticker)!));
}

/** Broker tables for tests: the best-known brokers and their classes. */
export const BROKERS = [
  ...'XL XC YP PD KK NI EP AG GI RO QA'
    .split(' ')
    .map((code) => ({ code, is_retail: true, is_foreign: false })),
  ...'AK BK ZP YU KZ RX GW DP CS MS CG ML DB'
    .split(' ')
    .map((code) => ({ code, is_retail: false, is_foreign: true })),
  ...(
    'CC OD DX MG LG SQ AZ DH BB IF KI GR YB SS HP YJ AO LS RB AP AI DR TP CP HD FS AH DU BQ XA LH RF BR AT CD IN BS ' +
    'FZ PO SH II PC IH PP MU IU TS MI PG ID GA ES EL SA AR ZR YO AN RG SF AF RS OK PF PI PS BF TF IT AD IC FO DD IP'
  )
    .split(' ')
    .map((code) => ({ code, is_retail: false, is_foreign: false })),
];

function barsOf(ticker: string, rows: ExchangeRows): BarFixture[] {
  return rows.date.map((date, i) => {
    const traded = rows.volume[i]! > 0;
    return {
      ticker,
      date,
      previous: rows.previous[i]!,
      high: (traded ? rows.high : rows.close)[i]!,
      low: (traded ? rows.low : rows.close)[i]!,
      close: rows.close[i]!,
      volume: rows.volume[i]!,
      value: rows.value[i]!,
      frequency: rows.frequency[i]!,
      foreign_buy: rows.foreign_buy[i]!,
      foreign_sell: rows.foreign_sell[i]!,
      nego_volume: rows.non_regular_volume[i]!,
      nego_value: rows.non_regular_value[i]!,
      nego_frequency: rows.non_regular_frequency[i]!,
    };
  });
}

/** Leaves out the two days on which the exchange only tested its systems. */
function parseRows(csv: string, from: string): ExchangeRows {
  const [header, ...lines] = csv.trimEnd().split('\n');
  const columns = header!.trim().split(',');
  const kept = lines.filter((line) => line.slice(0, 10) >= from && !isWeekend(line.slice(0, 10)));
  const rows = emptyRows(kept.map((line) => line.slice(0, 10)));
  for (const name of EXCHANGE_COLUMNS) {
    const at = columns.indexOf(name);
    rows[name].set(kept.map((line) => Number(line.split(',')[at])));
  }
  return rows;
}

function isWeekend(isoDate: string): boolean {
  return [0, 6].includes(new Date(isoDate).getUTCDay());
}

import type { Bar, GetSnapshotResponse, SnapshotFeatures } from '#proto/saring/market_data/v1/market_data.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { snapshotFeatures } from '#quant/snapshot/features.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { LoadedDataset } from '../in-memory/dataset-in-use.ts';
import { isLastDayPartial } from './partial-day.ts';
import { changePct, rounded } from './rounding.ts';
import { normalized } from './tickers.ts';

export const MAX_DAYS = 250;

/**
 * The last `days` bars of a ticker and its features, as seen from its own last day. `today` is the day in Jakarta.
 * @throws ServiceError invalid_request, not_found
 */
export function snapshotOf(
  loaded: LoadedDataset,
  wanted: { ticker: string; days: number },
  today: string,
): GetSnapshotResponse {
  refuseDays(wanted.days);
  const { dataset, panel } = loaded;
  const ticker = normalized(wanted.ticker);
  const index = panel.tickerIndex(ticker);
  if (index < 0) throw new ServiceError('not_found', `There is no data for the ticker ${ticker}.`);
  const { columns } = panel;
  const lastRow = panel.lastRow(index, panel.dayCount - 1);
  const lastDay = columns.day[lastRow]!;
  return {
    ticker,
    name: columns.listing.name[index] || undefined,
    sector: columns.listing.sector[index] || undefined,
    board: columns.listing.board[index] || undefined,
    date: columns.dates[lastDay]!,
    is_partial: isLastDayPartial(loaded, today),
    days: wanted.days,
    ohlcv: barsOf(panel, Math.max(panel.firstRow(index), lastRow + 1 - wanted.days), lastRow),
    features: onTheWire(snapshotFeatures(panel, index, lastDay)),
    dataset_version: dataset.version,
  };
}

function refuseDays(days: number): void {
  if (days >= 1 && days <= MAX_DAYS) return;
  const msg = `must be from 1 to ${MAX_DAYS}`;
  throw new ServiceError('invalid_request', `days: ${msg}`, {
    detail: [{ loc: ['days'], msg, type: 'out_of_range', input: days, ctx: { ge: 1, le: MAX_DAYS } }],
  });
}

/** Prices and volumes in the terms of the last row, values as they were. */
function barsOf(panel: Panel, firstRow: number, lastRow: number): Bar[] {
  const { columns } = panel;
  return Array.from({ length: lastRow + 1 - firstRow }, (_, i) => {
    const row = firstRow + i;
    const scale = panel.priceScale(row, lastRow);
    return {
      date: columns.dates[columns.day[row]!]!,
      open: rounded(columns.open[row]! * scale),
      high: rounded(columns.high[row]! * scale),
      low: rounded(columns.low[row]! * scale),
      close: rounded(columns.close[row]! * scale),
      volume: Math.round(columns.volume[row]! * panel.shareScale(row, lastRow)),
      value: columns.value[row]!,
      frequency: columns.frequency[row]!,
      change_pct: changePct(columns.close[row]!, columns.previous[row]!),
    };
  });
}

/** What is null for lack of history or of a source is absent on the wire. */
function onTheWire(features: ReturnType<typeof snapshotFeatures>): SnapshotFeatures {
  const wire: Record<string, number> = {};
  for (const [name, value] of Object.entries(features) as [string, number | null][]) {
    if (value !== null) wire[name] = rounded(value);
  }
  return wire;
}

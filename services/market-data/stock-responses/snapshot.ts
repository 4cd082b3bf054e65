import type { Bar, GetSnapshotResponse, SnapshotFeatures } from '#proto/saring/market_data/v1/market_data.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { brokerFeatures } from '#quant/snapshot/snapshot-broker-features.ts';
import { tradesOf } from '#quant/panel/windows.ts';
import {
  snapshotFeatures,
  withoutTrade,
  type SnapshotFeatures as KnownFeatures,
} from '#quant/snapshot/snapshot-features.ts';
import {
  ofVersionWithBrokers,
  adjustment,
  changePct,
  known,
  rounded,
  withoutNulls,
} from '../responses/adjustment.ts';
import { recentActions } from './actions.ts';
import { wholeCompanyName } from '../responses/company-name.ts';
import { holdingReturnsOf } from './holding-returns.ts';
import { lastTrade } from '../responses/trading-day.ts';
import { isStocksLastDayPartial } from '../responses/partial-day.ts';
import { requireTicker } from '../responses/tickers.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/**
 * The last `days` bars of a ticker and its features, as of its own last day. `today` is the day in Jakarta.
 * @throws ServiceError not_found
 */
export function snapshotOf(
  loaded: LoadedDataset,
  request: { ticker: string; days: number },
  today: string,
): GetSnapshotResponse {
  const { dataset, panel } = loaded;
  const { index } = requireTicker(panel, request.ticker);
  const lastRow = panel.lastRow(index, panel.dayCount - 1);
  return {
    ...stockFacts(loaded, index, today),
    days: request.days,
    ohlcv: barsOf(panel, index, Math.max(panel.firstRow(index), lastRow + 1 - request.days), lastRow),
    ...ofVersionWithBrokers(dataset, panel),
    actions: recentActions(loaded, index),
    returns: holdingReturnsOf(loaded, index),
  };
}

/** Master data and features of a stock (index), as of its own last day up to `asOfDay`. */
export function stockFacts(
  loaded: LoadedDataset,
  index: number,
  today: string,
  asOfDay = loaded.panel.dayCount - 1,
) {
  const { panel } = loaded;
  const { columns } = panel;
  const lastRow = panel.lastRow(index, asOfDay);
  return {
    ticker: columns.tickers[index]!,
    name: wholeCompanyName(columns.tickers[index]!, columns.listing.name[index] ?? ''),
    sector: columns.listing.sector[index] || undefined,
    board: columns.listing.board[index] || undefined,
    date: columns.dates[columns.day[lastRow]!]!,
    is_partial: isStocksLastDayPartial(loaded, index, today, asOfDay),
    features: featuresOf(loaded, index, lastRow),
    ...lastTrade(panel, index, asOfDay),
  };
}

/** Cached features by the row of the day. Computing them reads every bar of the stock, and they are the same for every caller. */
const cached = new WeakMap<LoadedDataset, Map<number, SnapshotFeatures>>();

function featuresOf(loaded: LoadedDataset, index: number, row: number): SnapshotFeatures {
  const ofDataset = cached.get(loaded) ?? new Map<number, SnapshotFeatures>();
  cached.set(loaded, ofDataset);
  const before = ofDataset.get(row);
  if (before) return before;
  const { panel } = loaded;
  const lastDay = panel.columns.day[row]!;
  const ofBrokers = brokerFeatures(panel, loaded, index, lastDay);
  const ofLastDay = snapshotFeatures(panel, index, lastDay, ofBrokers);
  // The last day of a stock that is no longer listed is not that of the dataset.
  const ofToday = lastTrade(panel, index, lastDay).traded_today ? ofLastDay : withoutTrade(ofLastDay);
  const features = withoutNulls(inWholeRupiah(ofToday)) as SnapshotFeatures;
  ofDataset.set(row, features);
  return features;
}

/**
 * Foreign net values are rounded to the rupiah in every response, because they are based on the average price of each
 * day.
 */
function inWholeRupiah(features: KnownFeatures): KnownFeatures {
  const whole = (value: number | null) => (value === null ? null : Math.round(value));
  return {
    ...features,
    foreign_net_value_1d: whole(features.foreign_net_value_1d),
    foreign_net_value_5d: whole(features.foreign_net_value_5d),
    foreign_net_value_20d: whole(features.foreign_net_value_20d),
  };
}

function barsOf(panel: Panel, ticker: number, firstRow: number, lastRow: number): Bar[] {
  const { columns } = panel;
  const { priceScale, shareScale, close } = adjustment(panel, ticker);
  return Array.from({ length: lastRow + 1 - firstRow }, (_, i) => {
    const row = firstRow + i;
    const scale = priceScale(row);
    return {
      date: columns.dates[columns.day[row]!]!,
      open: rounded(columns.open[row]! * scale),
      high: rounded(columns.high[row]! * scale),
      low: rounded(columns.low[row]! * scale),
      close: close(row),
      volume: Math.round(columns.volume[row]! * shareScale(row)),
      value: columns.value[row]!,
      frequency: known(tradesOf(panel, row)),
      change_pct: changePct(panel, row),
    };
  });
}

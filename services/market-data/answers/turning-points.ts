import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  GetTurningPointResponse,
  ListTurningPointsResponse,
  TurningPoint,
} from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerFlows, PartKind, TurningPart } from '#quant/turning-point/turning-parts.ts';
import {
  NO_TURNING_POINT,
  turningPoint,
  type TurningPoint as FoundTurningPoint,
} from '#quant/turning-point/turning-point.ts';
import { ServiceError } from '#shared/service-error.ts';
import { ADJUSTED, adjustment, rounded } from './adjustment.ts';
import { lastTrade } from './trading-day.ts';
import { isLastDayPartial, isStocksLastDayPartial } from './partial-day.ts';
import { requireTicker } from './tickers.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { oneDecimal, rupiah } from '#shared/text/indonesian.ts';

/** Stocks worked out before other requests get their turn: under a millisecond warm, a few on first use. */
const STOCKS_A_TURN = 5;

/**
 * The turning point of a ticker, as seen from its last trade. `today` is the day in Jakarta.
 * @throws ServiceError not_found
 */
export function turningPointOf(
  loaded: LoadedDataset,
  { ticker, lookback }: { ticker: string; lookback: number },
  today: string,
): GetTurningPointResponse {
  const { dataset, panel } = loaded;
  const { index } = requireTicker(panel, ticker);
  return {
    turning_point: turningPointAt(loaded, index, lookback),
    lookback,
    is_partial: isStocksLastDayPartial(loaded, index, today),
    dataset_version: dataset.version,
    broker_data: dataset.broker_data,
    ...ADJUSTED,
  };
}

/**
 * The turning points of folded tickers, giving way to other requests in between.
 * @throws ServiceError not_found when all of them are unknown
 */
export async function turningPointsOf(
  loaded: LoadedDataset,
  { tickers, lookback }: { tickers: string[]; lookback: number },
  today: string,
): Promise<ListTurningPointsResponse> {
  const { dataset, panel } = loaded;
  const isKnown = (ticker: string) => panel.tickerIndex(ticker) >= 0;
  const known = tickers.filter(isKnown);
  if (known.length === 0) throw new ServiceError('not_found', 'There is no data for any of these tickers.');
  const turning_points: TurningPoint[] = [];
  for (const [i, ticker] of known.entries()) {
    if (i > 0 && i % STOCKS_A_TURN === 0) await nextTurn();
    turning_points.push(turningPointAt(loaded, panel.tickerIndex(ticker), lookback));
  }
  return {
    turning_points,
    missing: tickers.filter((ticker) => !isKnown(ticker)),
    lookback,
    is_partial: isLastDayPartial(loaded, today),
    dataset_version: dataset.version,
    broker_data: dataset.broker_data,
    ...ADJUSTED,
  };
}

function turningPointAt(loaded: LoadedDataset, index: number, lookback: number): TurningPoint {
  const { panel } = loaded;
  const { columns } = panel;
  const lastDay = panel.dayCount - 1;
  const tradedRow = panel.lastTradedRow(index, lastDay);
  const row = tradedRow < 0 ? panel.lastRow(index, lastDay) : tradedRow;
  const asOfDay = columns.day[row]!;
  const broker = brokerFlowsOf(loaded, index, asOfDay, lookback);
  const isRecent = tradedRow >= 0 && asOfDay > lastDay - lookback;
  const found = isRecent ? turningPoint(panel, index, { asOfDay, lookback, broker }) : NO_TURNING_POINT;
  return {
    ticker: columns.tickers[index]!,
    date: columns.dates[asOfDay]!,
    signal: found.signal,
    score: found.score,
    factors: turningFactors(found, lookback),
    close: adjustment(panel, index).close(row),
    ret_10d_pct: found.ret10dPct === null ? undefined : rounded(found.ret10dPct),
    ...lastTrade(panel, index),
  };
}

/** Undefined unless every traded day of the lookback has broker rows. */
function brokerFlowsOf(
  { classFlows }: LoadedDataset,
  index: number,
  asOfDay: number,
  lookback: number,
): BrokerFlows | undefined {
  const bandarNetValue = classFlows.netValue('bandar', index, asOfDay, lookback);
  const retailNetValue = classFlows.netValue('retail', index, asOfDay, lookback);
  return bandarNetValue === null || retailNetValue === null ? undefined : { bandarNetValue, retailNetValue };
}

interface Circumstances {
  lookback: number;
  /** `selama kenaikan`, or over which days where the price did not move the way the investors went. */
  whileRising: string;
  whileFalling: string;
}

/** Amounts come without their sign: the sentences say the direction. */
const SENTENCES: Record<PartKind, (amount: number, circumstances: Circumstances) => string> = {
  rally: (pct, { lookback }) => `Harga naik ${oneDecimal(pct)}% dalam ${lookback} hari`,
  near_high: () => 'Harga tertahan di dekat puncak 60 hari',
  foreign_selling: (idr, { whileRising }) => `Asing mencatat jual bersih ${rupiah(idr)} ${whileRising}`,
  smart_money_selling: (idr) => `Asing dan bandar mencatat jual bersih ${rupiah(idr)} saat harga naik`,
  retail_buying: (idr) => `Ritel mencatat beli bersih ${rupiah(idr)} saat harga naik`,
  heavy_red_day: (ratio) =>
    `Volume membesar pada hari turun di dekat puncak 60 hari (${oneDecimal(ratio)}x rata-rata 20 hari)`,
  overbought: (rsi) => `RSI ${oneDecimal(rsi)} berada di area jenuh beli`,
  bearish_divergence: (rsi) => `Harga mencetak puncak baru, tetapi RSI melemah ke ${oneDecimal(rsi)}`,
  fall: (pct, { lookback }) => `Harga turun ${oneDecimal(pct)}% dalam ${lookback} hari`,
  far_below_high: (pct) => `Harga ${oneDecimal(pct)}% di bawah puncak 60 hari`,
  foreign_buying: (idr, { whileFalling }) => `Asing mencatat beli bersih ${rupiah(idr)} ${whileFalling}`,
  smart_money_buying: (idr) => `Asing dan bandar mencatat beli bersih ${rupiah(idr)} saat harga melemah`,
  retail_selling: (idr) => `Ritel mencatat jual bersih ${rupiah(idr)} saat harga melemah`,
  heavy_green_day: (ratio) =>
    `Volume membesar pada hari naik di dekat dasar 60 hari (${oneDecimal(ratio)}x rata-rata 20 hari)`,
  oversold_turning: (rsi) => `RSI naik dari area jenuh jual ke ${oneDecimal(rsi)}`,
  bullish_divergence: (rsi) => `Harga mencetak dasar baru, tetapi RSI menguat ke ${oneDecimal(rsi)}`,
  ma_cross_up: () => 'MA5 menembus MA20',
};

/** Each part as a sentence in Bahasa Indonesia, in the order of the parts. */
export function turningFactors({ parts, retPct }: FoundTurningPoint, lookback: number): string[] {
  const overDays = `dalam ${lookback} hari`;
  const circumstances = {
    lookback,
    whileRising: retPct !== null && retPct > 0 ? 'selama kenaikan' : overDays,
    whileFalling: retPct !== null && retPct < 0 ? 'selama penurunan' : overDays,
  };
  return parts.map(({ kind, amount }: TurningPart) => SENTENCES[kind](Math.abs(amount), circumstances));
}

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
import { ofVersionWithBrokers, adjustment, rounded } from './adjustment.ts';
import { judgedDay, lastTrade } from './trading-day.ts';
import { isLastDayPartial, isStocksLastDayPartial } from './partial-day.ts';
import { knownTickers, requireTicker } from './tickers.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { FORMATS, LANGUAGES, type Formats, type Language } from '#foundation/text/languages.ts';

/**
 * Stocks computed before other requests get their turn. This takes under a millisecond when warm, a few on first use.
 */
const STOCKS_A_TURN = 5;

/** The lookback in trading days, and the language of the factors. */
interface QueryOptions {
  lookback: number;
  language?: Language | undefined;
}

/**
 * The turning point of a ticker, as of its last trade. `today` is the day in Jakarta.
 * @throws ServiceError not_found
 */
export function turningPointOf(
  loaded: LoadedDataset,
  { ticker, lookback, language = LANGUAGES[0] }: { ticker: string } & QueryOptions,
  today: string,
): GetTurningPointResponse {
  const { dataset, panel } = loaded;
  const { index } = requireTicker(panel, ticker);
  return {
    turning_point: turningPointAt(loaded, index, { lookback, language }),
    lookback,
    is_partial: isStocksLastDayPartial(loaded, index, today, judgedDay(panel, index)),
    ...ofVersionWithBrokers(dataset, panel),
  };
}

/**
 * The turning points of normalised tickers. Yields to other requests in between.
 * @throws ServiceError not_found when all of them are unknown
 */
export async function turningPointsOf(
  loaded: LoadedDataset,
  { tickers, lookback, language = LANGUAGES[0] }: { tickers: string[] } & QueryOptions,
  today: string,
): Promise<ListTurningPointsResponse> {
  const { dataset, panel } = loaded;
  const { known, missing } = knownTickers(panel, tickers);
  const turning_points: TurningPoint[] = [];
  for (const [i, ticker] of known.entries()) {
    if (i > 0 && i % STOCKS_A_TURN === 0) await nextTurn();
    turning_points.push(turningPointAt(loaded, panel.tickerIndex(ticker), { lookback, language }));
  }
  return {
    turning_points,
    missing,
    lookback,
    is_partial: isLastDayPartial(loaded, today),
    ...ofVersionWithBrokers(dataset, panel),
  };
}

function turningPointAt(
  loaded: LoadedDataset,
  index: number,
  { lookback, language }: { lookback: number; language: Language },
): TurningPoint {
  const { panel } = loaded;
  const { columns } = panel;
  const lastDay = judgedDay(panel, index);
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
    factors: turningFactors(found, lookback, language),
    close: adjustment(panel, index).close(row),
    ret_10d_pct: found.ret10dPct === null ? undefined : rounded(found.ret10dPct),
    ...lastTrade(panel, index, lastDay),
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

/** One sentence for each part, in the order of the parts. */
export function turningFactors(
  { parts, retPct }: FoundTurningPoint,
  lookback: number,
  language: Language,
): string[] {
  const circumstances = { lookback, retPct, formats: FORMATS[language] };
  return parts.map(({ kind, amount }: TurningPart) =>
    FACTOR_SENTENCES[language][kind](Math.abs(amount), circumstances),
  );
}

interface Circumstances {
  lookback: number;
  /** Return over the lookback; null if the history is shorter. */
  retPct: number | null;
  formats: Formats;
}

/** Amounts have no sign: the sentences state the direction. */
type Sentences = Record<PartKind, (amount: number, circumstances: Circumstances) => string>;

const rose = ({ retPct }: Circumstances) => retPct !== null && retPct > 0;
const fell = ({ retPct }: Circumstances) => retPct !== null && retPct < 0;

const INDONESIAN: Sentences = {
  rally: (pct, { lookback, formats }) => `Harga naik ${formats.oneDecimal(pct)}% dalam ${lookback} hari`,
  near_high: () => 'Harga tertahan di dekat puncak 60 hari',
  foreign_selling: (idr, when) =>
    `Asing mencatat jual bersih ${when.formats.rupiah(idr)} ${rose(when) ? 'selama kenaikan' : `dalam ${when.lookback} hari`}`,
  smart_money_selling: (idr, { formats }) =>
    `Asing dan bandar mencatat jual bersih ${formats.rupiah(idr)} saat harga naik`,
  retail_buying: (idr, { formats }) => `Ritel mencatat beli bersih ${formats.rupiah(idr)} saat harga naik`,
  heavy_red_day: (ratio, { formats }) =>
    `Volume membesar pada hari turun di dekat puncak 60 hari (${formats.oneDecimal(ratio)}x rata-rata 20 hari)`,
  overbought: (rsi, { formats }) => `RSI ${formats.oneDecimal(rsi)} berada di area jenuh beli`,
  bearish_divergence: (rsi, { formats }) =>
    `Harga mencetak puncak baru, tetapi RSI melemah ke ${formats.oneDecimal(rsi)}`,
  fall: (pct, { lookback, formats }) => `Harga turun ${formats.oneDecimal(pct)}% dalam ${lookback} hari`,
  far_below_high: (pct, { formats }) => `Harga ${formats.oneDecimal(pct)}% di bawah puncak 60 hari`,
  foreign_unknown: () => 'Transaksi asing tidak diketahui seluruhnya dan tidak dinilai',
  foreign_buying: (idr, when) =>
    `Asing mencatat beli bersih ${when.formats.rupiah(idr)} ${fell(when) ? 'selama penurunan' : `dalam ${when.lookback} hari`}`,
  smart_money_buying: (idr, { formats }) =>
    `Asing dan bandar mencatat beli bersih ${formats.rupiah(idr)} saat harga melemah`,
  retail_selling: (idr, { formats }) =>
    `Ritel mencatat jual bersih ${formats.rupiah(idr)} saat harga melemah`,
  heavy_green_day: (ratio, { formats }) =>
    `Volume membesar pada hari naik di dekat dasar 60 hari (${formats.oneDecimal(ratio)}x rata-rata 20 hari)`,
  oversold_turning: (rsi, { formats }) => `RSI naik dari area jenuh jual ke ${formats.oneDecimal(rsi)}`,
  bullish_divergence: (rsi, { formats }) =>
    `Harga mencetak dasar baru, tetapi RSI menguat ke ${formats.oneDecimal(rsi)}`,
  ma_cross_up: () => 'MA5 menembus MA20',
};

const ENGLISH: Sentences = {
  rally: (pct, { lookback, formats }) => `The price rose ${formats.oneDecimal(pct)}% in ${lookback} days`,
  near_high: () => 'The price is held near its high of 60 days',
  foreign_selling: (idr, when) =>
    `Foreigners sold ${when.formats.rupiah(idr)} net ${rose(when) ? 'during the rise' : `in ${when.lookback} days`}`,
  smart_money_selling: (idr, { formats }) =>
    `Foreigners and local institutions sold ${formats.rupiah(idr)} net while the price rose`,
  retail_buying: (idr, { formats }) =>
    `Retail brokers bought ${formats.rupiah(idr)} net while the price rose`,
  heavy_red_day: (ratio, { formats }) =>
    `Heavy volume on a falling day near the high of 60 days (${formats.oneDecimal(ratio)}x its average of 20 days)`,
  overbought: (rsi, { formats }) => `RSI ${formats.oneDecimal(rsi)} is in the overbought zone`,
  bearish_divergence: (rsi, { formats }) =>
    `The price made a new high, but RSI weakened to ${formats.oneDecimal(rsi)}`,
  fall: (pct, { lookback, formats }) => `The price fell ${formats.oneDecimal(pct)}% in ${lookback} days`,
  far_below_high: (pct, { formats }) => `The price is ${formats.oneDecimal(pct)}% below its high of 60 days`,
  foreign_unknown: () => 'Foreign trades are not fully known and not judged',
  foreign_buying: (idr, when) =>
    `Foreigners bought ${when.formats.rupiah(idr)} net ${fell(when) ? 'during the fall' : `in ${when.lookback} days`}`,
  smart_money_buying: (idr, { formats }) =>
    `Foreigners and local institutions bought ${formats.rupiah(idr)} net while the price weakened`,
  retail_selling: (idr, { formats }) =>
    `Retail brokers sold ${formats.rupiah(idr)} net while the price weakened`,
  heavy_green_day: (ratio, { formats }) =>
    `Heavy volume on a rising day near the low of 60 days (${formats.oneDecimal(ratio)}x its average of 20 days)`,
  oversold_turning: (rsi, { formats }) => `RSI rises out of the oversold zone to ${formats.oneDecimal(rsi)}`,
  bullish_divergence: (rsi, { formats }) =>
    `The price made a new low, but RSI strengthened to ${formats.oneDecimal(rsi)}`,
  ma_cross_up: () => 'MA5 crosses above MA20',
};

/** Sentences for the parts that make up the score of a turning point. */
const FACTOR_SENTENCES: Record<Language, Sentences> = { id: INDONESIAN, en: ENGLISH };

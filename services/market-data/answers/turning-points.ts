import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  GetTurningPointResponse,
  ListTurningPointsResponse,
  TurningPoint,
} from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerFlows, TurningPart } from '#quant/turning-point/turning-parts.ts';
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
import { FORMATS, LANGUAGES, type Language } from '#shared/text/languages.ts';
import { FACTOR_SENTENCES } from './turning-factors.ts';

/** Stocks worked out before other requests get their turn: under a millisecond warm, a few on first use. */
const STOCKS_A_TURN = 5;

/** Over how many trading days, and in which language its factors are. */
interface Asked {
  lookback: number;
  language?: Language | undefined;
}

/**
 * The turning point of a ticker, as seen from its last trade. `today` is the day in Jakarta.
 * @throws ServiceError not_found
 */
export function turningPointOf(
  loaded: LoadedDataset,
  { ticker, lookback, language = LANGUAGES[0] }: { ticker: string } & Asked,
  today: string,
): GetTurningPointResponse {
  const { dataset, panel } = loaded;
  const { index } = requireTicker(panel, ticker);
  return {
    turning_point: turningPointAt(loaded, index, { lookback, language }),
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
  { tickers, lookback, language = LANGUAGES[0] }: { tickers: string[] } & Asked,
  today: string,
): Promise<ListTurningPointsResponse> {
  const { dataset, panel } = loaded;
  const isKnown = (ticker: string) => panel.tickerIndex(ticker) >= 0;
  const known = tickers.filter(isKnown);
  if (known.length === 0) throw new ServiceError('not_found', 'There is no data for any of these tickers.');
  const turning_points: TurningPoint[] = [];
  for (const [i, ticker] of known.entries()) {
    if (i > 0 && i % STOCKS_A_TURN === 0) await nextTurn();
    turning_points.push(turningPointAt(loaded, panel.tickerIndex(ticker), { lookback, language }));
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

function turningPointAt(
  loaded: LoadedDataset,
  index: number,
  { lookback, language }: { lookback: number; language: Language },
): TurningPoint {
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
    factors: turningFactors(found, lookback, language),
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

/** Each part as a sentence, in the order of the parts. */
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

import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import { DatasetPublisher } from '../dataset-publisher.ts';
import type { MarketState } from '../served-market.ts';
import type { DataFile } from './data-file.ts';
import type { DueRequest, Publication } from './source.ts';

const REAL = { version: 'v1', kind: 'real', isGenerated: false, brokerLastDay: '', publishedAt: new Date(0) };

/** A real market of these days. */
export function marketOf(days: string[], changes: Partial<MarketState> = {}): MarketState {
  return { ...REAL, days, ...changes };
}

export function dueRequest(market: MarketState, now: string, changes: Partial<DueRequest> = {}): DueRequest {
  const never = () => false;
  return {
    ...{ market, now: new Date(now), isDone: never, hasFailed: never, isResting: never },
    hasBrought: async () => false,
    ...changes,
  };
}

/** Weekdays of 2024 but for these holidays. */
export function calendarOf(holidays: string[] = []): TradingCalendar {
  const closures = Object.fromEntries(holidays.map((day) => [day, 'holiday']));
  return new TradingCalendar({ closures, openings: [], earlyCloses: {}, listedYears: [2024] });
}

export interface Upload {
  files: DataFile[];
  header: Parameters<DatasetPublisher['files']>[1];
}

/** A publication that keeps what it is given. */
export function publicationTo(market: MarketState): { to: Publication; uploads: Upload[] } {
  const uploads: Upload[] = [];
  const publisher = new DatasetPublisher({} as ConstructorParameters<typeof DatasetPublisher>[0]);
  publisher.files = async (files, header) => {
    uploads.push({ files, header });
    return { unchanged: false } as ImportOutcome;
  };
  return { to: { publisher, market, signal: new AbortController().signal }, uploads };
}

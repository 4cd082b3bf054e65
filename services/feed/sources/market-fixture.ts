import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { DatasetPublisher } from '../dataset-publisher.ts';
import type { MarketState } from '../served-market.ts';
import type { FeedCalendar } from './feed-calendar.ts';
import type { DataFile } from './data-file.ts';
import type { DueRequest, Publication } from './source.ts';

const REAL = { version: 'v1', kind: 'real', isGenerated: false, brokerLastDay: '', publishedAt: new Date(0) };

/** A real market of these days. */
export function marketOf(days: string[], changes: Partial<MarketState> = {}): MarketState {
  return { ...REAL, days, ...changes };
}

export function dueRequest(market: MarketState, now: string, changes: Partial<DueRequest> = {}): DueRequest {
  return { market, now: new Date(now), isDone: () => false, hasBrought: async () => false, ...changes };
}

/** Weekdays but for these holidays; due at the time of day that the source declares. */
export function calendarOf(holidays: string[] = []): FeedCalendar {
  const isOpen = (day: string) => ![0, 6].includes(new Date(day).getUTCDay()) && !holidays.includes(day);
  const next = (day: string, step: number) =>
    new Date(Date.parse(day) + step * 86_400_000).toISOString().slice(0, 10);
  return {
    newestDueDay(moment, dueAt) {
      let day = new Date(moment.getTime() + 7 * 3_600_000).toISOString().slice(0, 10);
      if (new Date(`${day}T${dueAt}:00+07:00`) > moment) day = next(day, -1);
      while (!isOpen(day)) day = next(day, -1);
      return day;
    },
    tradingDays(from, to) {
      const days: string[] = [];
      for (let day = from; day <= to; day = next(day, 1)) if (isOpen(day)) days.push(day);
      return days;
    },
  };
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

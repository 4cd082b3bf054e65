import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import { DatasetPublisher } from '../market/dataset-publisher.ts';
import type { MarketState } from '../market/served-market.ts';
import type { DataFile } from '../deliveries/delivery.ts';
import { createSources } from './create-sources.ts';
import { readDefinitions } from './definition.ts';
import type { DueRequest, Publication, Source } from './source.ts';

const REAL = { version: 'v1', kind: 'real', isGenerated: false, brokerLastDay: '', publishedAt: new Date(0) };

/** A real market of these days. */
export function marketOf(days: string[], changes: Partial<MarketState> = {}): MarketState {
  return { ...REAL, days, wholeUntil: days.at(-1) ?? '', ...changes };
}

export function dueRequest(market: MarketState, now: string, changes: Partial<DueRequest> = {}): DueRequest {
  const never = () => false;
  return {
    ...{ market, now: new Date(now), isDone: never, wasAsked: never },
    ...{ hasFailed: never, isResting: never, lastDay: undefined },
    hasBrought: async () => false,
    ...changes,
  };
}

/** A source as an operator declares it, in a file of this folder. */
export async function declaredIn(
  folder: string,
  declared: object,
  { clock = () => new Date(), calendar = calendarOf() } = {},
): Promise<Source> {
  const path = join(folder, '.sources.json');
  await writeFile(path, JSON.stringify({ sources: [declared] }));
  return createSources(await readDefinitions(path), { calendar, clock, env: {} })[0]!;
}

/** Weekdays of 2024 but for these holidays. */
export function calendarOf(holidays: string[] = []): TradingCalendar {
  const closures = Object.fromEntries(holidays.map((day) => [day, 'holiday']));
  return new TradingCalendar({ closures, openings: [], earlyCloses: {}, listedYears: [2024] });
}

interface Upload {
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
  return {
    to: { publisher, market, retrievedAt: new Date(0), signal: new AbortController().signal },
    uploads,
  };
}

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TICKER_CODES } from '#synthetic-market/listing-plan.ts';
import {
  DEFAULT_LAST_DATE,
  generateMarket,
  type SyntheticTicker,
} from '#synthetic-market/generate-market.ts';
import { outOfRange, refuse } from '#foundation/errors/invalid-request.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';
import type { ArchivedFile } from '../files/archive.ts';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { barsCsv, listingCsv } from '../files/idx-format.ts';
import type { ImportOrder, ImportSource } from '../request/import-source.ts';

export interface SampleDefaults {
  tickers: number;
  days: number;
}

/** The input of an import whose files are generated. */
export type GeneratedSource = Omit<ImportSource, keyof ImportOrder> &
  Required<Pick<ImportSource, 'files' | 'generated'>>;

interface SampleOptions {
  seed: number;
  tickers?: number | undefined;
  days?: number | undefined;
  last_date?: string | undefined;
}

/**
 * Increment whenever the same settings would give another market, so that an old market no longer counts as the same, and is
 * not continued with days that do not fit.
 */
export const GENERATOR_EDITION = 3;
const MIN_DAYS = 30;
const MAX_DAYS = 2_500;
/** The longest market that ends on the first of these days starts after the oldest invented listing. */
const LAST_DATES = { min: '2001-12-31', max: '2100-12-31' };

/**
 * A synthetic market as files like those of the exchange. It depends only on seed, size and last day.
 * @throws ServiceError invalid_request for a size or a day out of range
 */
export function sampleMarket(
  request: SampleOptions,
  defaults: SampleDefaults,
  signal: AbortSignal,
): GeneratedSource {
  const { seed, tickers = defaults.tickers, days = defaults.days } = request;
  const { last_date: lastDate = DEFAULT_LAST_DATE } = request;
  refuseOutOfRange(tickers, days, lastDate);
  const options = { seed, tickers, days, lastDate };
  const settings = JSON.stringify({ generator: GENERATOR_EDITION, ...options });
  return {
    kind: 'synthetic',
    source: `generator seed ${seed}`,
    sha256: () => createHash('sha256').update(settings).digest('hex'),
    adds: false,
    generated: { edition: GENERATOR_EDITION, seed, tickers, planned_days: days },
    brokers: { synthesizes: true, seed, ...USUAL_ASSUMPTIONS },
    files: filesOfMarket(generateMarket(options), signal),
  };
}

/** A file of bars for each company that has any, and the listing of all. */
export async function* filesOfMarket(
  market: Iterable<SyntheticTicker>,
  signal: AbortSignal,
): AsyncGenerator<ArchivedFile> {
  const listed: Omit<SyntheticTicker, 'rows'>[] = [];
  for (const { rows, ...listing } of market) {
    signal.throwIfAborted();
    if (rows.date.length > 0) yield { path: `bars/${listing.ticker}.csv`, bytes: piece(barsCsv(rows)) };
    listed.push(listing);
    // A company takes a millisecond or two. Let other requests run between two companies.
    await nextTurn();
  }
  yield { path: 'listing/all.csv', bytes: piece(listingCsv(listed)) };
  for (const [sector, members] of Map.groupBy(listed, (listing) => listing.sector)) {
    yield { path: `listing/Sectors/${sector}.csv`, bytes: piece(listingCsv(members)) };
  }
}

async function* piece(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function refuseOutOfRange(tickers: number, days: number, lastDate: string): void {
  const mistakes: FieldError[] = [];
  for (const [name, value, min, max] of [
    ['tickers', tickers, 1, TICKER_CODES.length],
    ['days', days, MIN_DAYS, MAX_DAYS],
    ['last_date', lastDate, LAST_DATES.min, LAST_DATES.max],
  ] as const) {
    if (value < min || value > max) mistakes.push(outOfRange<number | string>([name], min, max, value));
  }
  refuse(mistakes);
}

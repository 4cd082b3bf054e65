import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TICKER_CODES } from '#synthetic-market/listing-plan.ts';
import {
  DEFAULT_LAST_DATE,
  generateMarket,
  type SyntheticTicker,
} from '#synthetic-market/generate-market.ts';
import { outOfRange, refuse } from '#shared/invalid-request.ts';
import type { FieldError } from '#shared/service-error.ts';
import type { ArchivedFile } from '../files/archive.ts';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { barsCsv, listingCsv } from '../files/idx-format.ts';
import type { ImportOrder, ImportSource } from '../import-source.ts';

export interface SampleDefaults {
  tickers: number;
  days: number;
}

interface SampleOptions {
  seed: number;
  tickers?: number | undefined;
  days?: number | undefined;
}

/**
 * Increment whenever the same settings would give another market, so that an old market no longer counts as the same.
 */
const GENERATOR = 2;
const MIN_DAYS = 30;
const MAX_DAYS = 2_500;

/**
 * A synthetic market as files like those of the exchange. It depends only on seed and size.
 * @throws ServiceError invalid_request for a size out of range
 */
export function sampleMarket(
  request: SampleOptions,
  defaults: SampleDefaults,
  signal: AbortSignal,
): Omit<Required<ImportSource>, keyof ImportOrder> {
  const { seed, tickers = defaults.tickers, days = defaults.days } = request;
  refuseSize(tickers, days);
  const options = { seed, tickers, days, lastDate: DEFAULT_LAST_DATE };
  const settings = JSON.stringify({ generator: GENERATOR, ...options });
  return {
    kind: 'synthetic',
    source: `generator seed ${seed}`,
    sha256: () => createHash('sha256').update(settings).digest('hex'),
    adds: false,
    brokers: { synthesizes: true, seed, ...USUAL_ASSUMPTIONS },
    files: files(generateMarket(options), signal),
  };
}

async function* files(market: Iterable<SyntheticTicker>, signal: AbortSignal): AsyncGenerator<ArchivedFile> {
  const listed: Omit<SyntheticTicker, 'rows'>[] = [];
  for (const { rows, ...listing } of market) {
    signal.throwIfAborted();
    yield { path: `bars/${listing.ticker}.csv`, bytes: piece(barsCsv(rows)) };
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

function refuseSize(tickers: number, days: number): void {
  const detail: FieldError[] = [];
  for (const [name, value, min, max] of [
    ['tickers', tickers, 1, TICKER_CODES.length],
    ['days', days, MIN_DAYS, MAX_DAYS],
  ] as const) {
    if (value >= min && value <= max) continue;
    detail.push(outOfRange([name], min, max, value));
  }
  refuse(detail);
}

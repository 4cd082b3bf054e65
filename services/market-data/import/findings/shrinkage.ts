import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';

/**
 * A market has shrunk if it has less than this share of the served market's tickers, trading days, bars or real broker
 * rows. A stock exchange loses a few listings a year, never a fifth of anything.
 */
const MIN_SHARE = 0.8;

/** The sizes that are compared, and shown to the operator who decides. */
interface MarketSize {
  kind: string;
  tickers: number;
  trading_days: number;
  bars: number;
  /** Synthetic rows do not count, because they can be generated again. */
  real_broker_rows: number;
  first_date: string;
  last_date: string;
}

export function sizeOf({ broker_data, broker_rows, ...dataset }: Dataset): MarketSize {
  const { kind, tickers, trading_days, bars, first_date, last_date } = dataset;
  const real_broker_rows = broker_data === 'real' ? broker_rows : 0;
  return { kind, tickers, trading_days, bars, real_broker_rows, first_date, last_date };
}

const COUNTED = [
  ['tickers', 'tickers'],
  ['trading_days', 'trading days'],
  ['bars', 'bars'],
  ['real_broker_rows', 'real broker rows'],
] as const;

/**
 * Refuses to replace a market with a much smaller one, or a real market with a synthetic one. Replacing a synthetic
 * market with a real one is always allowed.
 * @throws ServiceError import_rejected with both sizes in its detail, of type `dataset_shrinks`
 */
export function refuseShrinking(served: Pick<Dataset, 'version'>, now: MarketSize, after: MarketSize): void {
  const losses = lossesBetween(now, after);
  if (losses.length === 0) return;
  const message =
    `This would shrink the served market, ${served.version}: ${losses.join(', ')}. ` +
    'Nothing is published. Add the bars to it, or allow it to shrink.';
  const ctx = { served: { version: served.version, ...now }, imported: after };
  throw new ServiceError('import_rejected', message, {
    detail: [{ loc: ['header', 'may_shrink'], msg: message, type: 'dataset_shrinks', input: false, ctx }],
  });
}

/**
 * Refuses to replace a real market that the store has lost with a synthetic one. Replacing it with a real one is
 * allowed, because that repairs the loss.
 * @throws ServiceError import_rejected
 */
export function refuseToHideLoss(lost: string, kind: string): void {
  if (kind === 'real' || lost.startsWith('synthetic')) return;
  throw rejected(
    `The served version ${lost} is missing from the store, and made-up data would hide that. Import a real market, ` +
      `or serve a version that 'saring dataset list' shows.`,
  );
}

function lossesBetween(now: MarketSize, after: MarketSize): string[] {
  if (now.kind === 'synthetic' && after.kind === 'real') return [];
  const losses = COUNTED.filter(([count]) => after[count] < now[count] * MIN_SHARE).map(
    ([count, name]) => `${name} from ${number(now[count])} to ${number(after[count])}`,
  );
  return now.kind === after.kind ? losses : [`from ${now.kind} to ${after.kind} data`, ...losses];
}

function number(value: number): string {
  return value.toLocaleString('en');
}

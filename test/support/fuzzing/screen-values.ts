import fc from 'fast-check';
import { savedScreen, SCREEN_COLUMNS } from '../declared-api/request-parts.ts';
import type { Rest } from '../rest/rest.ts';
import { alternatives } from '../declared-api/json-schema.ts';
import { idsLike, type NamedValues } from './named-values.ts';

/** What end users of the key under test have saved. All of it is shared within the key. */
interface ScreenValues {
  screens: string[];
  watchlists: string[];
  /** A watchlist that no request changes. */
  lastingWatchlist: string;
}

/** The same as `marketValues`, for inputs about screens and watchlists. */
export const screenValues = ({ screens, watchlists, lastingWatchlist }: ScreenValues): NamedValues => ({
  screen_id: idsLike(screens, /^scr_[0-9a-f]{0,40}$/),
  watchlist_id: idsLike(watchlists, /^wl_[0-9a-f]{0,40}$/),
  rules: fc.constantFrom(...RULES),
  universe: fc.constantFrom(...UNIVERSES, { watchlist_id: lastingWatchlist }),
  columns: (schema) =>
    alternatives(schema).some(({ type }) => type === 'array')
      ? COLUMNS
      : COLUMNS.map((names) => names.join()),
  fields: COLUMNS.map((names) => names.join()),
  name: fc.constantFrom('oversold', 'Murah 😀', ' x ', 'v'.repeat(100)),
});

const RULES = [
  '',
  'close > 0',
  'close > 0 and not (close < 50) sort by close desc limit 3',
  {},
  { where: { field: 'close', above: 0 }, limit: 5 },
];
const UNIVERSES = [null, {}, { sector: 'Energy' }, { sector: null, tickers: ['bbca', 'ZZZZ'] }];
const COLUMNS = fc.uniqueArray(fc.constantFrom(...SCREEN_COLUMNS));

/** More than the requests that delete them. */
const TO_DELETE = 12;

/** Values of the key under test, and others that requests may delete. */
export async function screensUnderTest(rest: Rest, endUser: string) {
  const made = await Promise.all(
    Array.from({ length: TO_DELETE + 2 }, () => savedScreen(rest, endUser, true)),
  );
  const [lasting, known, ...others] = made as [(typeof made)[0], (typeof made)[0], ...typeof made];
  const valuesOf = (saved: typeof made): ScreenValues => ({
    screens: saved.map(({ screen_id }) => screen_id),
    watchlists: saved.map(({ watchlist_id }) => watchlist_id),
    lastingWatchlist: lasting.watchlist_id,
  });
  return { kept: valuesOf([known]), toDelete: valuesOf(others) };
}

import type { ListUniversesResponse } from '#proto/saring/market_data/v1/universes.ts';
import { universeName, type Universes } from '#quant/corporate-actions/universes.ts';
import { tooManyTickers } from '#foundation/errors/invalid-request.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { universeIn } from '#foundation/text/codes.ts';
import { fieldNamed, rulesOf } from '#platform/wire/descriptors.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { asOfDay } from './trading-day.ts';

/** An error names at most this many universes; the list of universes has all. */
const MAX_NAMED = 20;

/**
 * The universes of a day, ordered by name.
 * @throws ServiceError not_found when the dataset begins later
 */
export function universesOf(
  { dataset, panel, universes }: LoadedDataset,
  { as_of }: { as_of?: string | undefined },
): ListUniversesResponse {
  const date = panel.columns.dates[asOfDay(panel, as_of)]!;
  const found = universes.on(date);
  return { as_of: date, universes: found, count: found.length, dataset_version: dataset.version };
}

/**
 * Normalised tickers with members in the place of universes, as of the last whole day of the dataset, without duplicates.
 * @throws ServiceError not_found for an unknown universe, too_many_tickers
 */
export function withMembers(
  { panel, universes }: LoadedDataset,
  tickers: string[],
  request: 'GetQuotesRequest' | 'CompareRequest' | 'ListTurningPointsRequest',
): string[] {
  if (tickers.every((ticker) => universeIn(ticker) === undefined)) return tickers;
  const date = panel.columns.dates[panel.lastWholeDay]!;
  const sizes: string[] = [];
  const named = tickers.flatMap((ticker) => {
    const universe = universeIn(ticker);
    if (universe === undefined) return [ticker];
    const members = membersOf(universes, universe, date);
    sizes.push(`${universeName(universe)} has ${members.length}`);
    return members;
  });
  const different = [...new Set(named)];
  const max = rulesOf(fieldNamed(`saring.market_data.v1.${request}`, 'tickers')).max_distinct!;
  if (different.length <= max) return different;
  throw tooManyTickers(
    { loc: ['tickers'], input: tickers, max, actual: different.length },
    `: on ${date} the universe ${sizes.join(', ')}`,
  );
}

/**
 * Whether a stock (index) is a member of a universe on a day. If none is requested, every stock passes.
 * @throws ServiceError not_found for a universe that was not known then
 */
export function memberFilter(
  { panel, universes }: Pick<LoadedDataset, 'panel' | 'universes'>,
  universe: string | undefined,
  date: string,
): (index: number) => boolean {
  if (universe === undefined) return () => true;
  const { tickers } = panel.columns;
  const members = new Set(membersOf(universes, universe, date));
  return (index) => members.has(tickers[index]!);
}

/**
 * The members of a universe on a day, ordered by ticker.
 * @throws ServiceError not_found for a universe that was not known then
 */
export function membersOf(universes: Universes, universe: string, date: string): string[] {
  const members = universes.membersOf(universe, date);
  if (members) return members;
  const name = universeName(universe);
  throw new ServiceError('not_found', `There is no universe '${name}' on ${date}${known(universes, date)}.`);
}

function known(universes: Universes, date: string): string {
  const names = universes.on(date).map(({ name }) => name);
  if (names.length === 0) return ': no table of corporate actions states any member up to then';
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `, but ${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

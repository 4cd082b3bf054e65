import type {
  ListScreenedStocksRequest,
  ListScreenedStocksResponse,
  ScreenedStocks,
} from '#proto/saring/market_data/v1/fields.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { codeOf, universeIn } from '#foundation/text/codes.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { foldTickers, knownTickers } from '../responses/tickers.ts';
import { asOfDay } from '../responses/trading-day.ts';
import { membersOf } from '../responses/universes.ts';

interface ScreenedUniverse {
  /** For each ticker of the panel: 1 if the screen looks at it. Undefined for all stocks. */
  mask: Uint8Array | undefined;
  /** Requested tickers that no stock has. */
  missing: string[];
}

/**
 * @param day calendar index; universes have their members of that day
 * @throws ServiceError invalid_request for an unknown sector or for both a sector and tickers, not_found for an unknown universe
 */
export function screenedUniverse(
  { panel, universes }: Pick<LoadedDataset, 'panel' | 'universes'>,
  stocks: ScreenedStocks | undefined,
  day: number,
): ScreenedUniverse {
  const { sector, tickers = [] } = stocks ?? {};
  if (sector !== undefined && tickers.length > 0)
    refuse([{ loc: ['universe'], msg: 'must name at most one of sector and tickers', type: 'value_error' }]);
  if (sector !== undefined) return { mask: ofSector(panel, sector), missing: [] };
  if (tickers.length === 0) return { mask: undefined, missing: [] };
  return ofTickers(panel, namedTickers({ panel, universes }, tickers, day));
}

/**
 * The stocks that a screen looks at on each day from `firstDay` to `lastDay`. Where they change from day to day, the mask holds one
 * day after the other, from `start` on; days before the first are empty.
 * @throws ServiceError as {@link screenedUniverse}
 */
export function universeOfDays(
  loaded: Pick<LoadedDataset, 'panel' | 'universes'>,
  stocks: ScreenedStocks | undefined,
  { start, firstDay, lastDay }: DaySpan & { start: number },
): Uint8Array | undefined {
  const changes = (stocks?.tickers ?? []).some((ticker) => universeIn(codeOf(ticker)) !== undefined);
  if (!changes) return screenedUniverse(loaded, stocks, lastDay).mask;
  const { tickerCount } = loaded.panel;
  const masks = new Uint8Array((lastDay + 1 - start) * tickerCount);
  for (let day = firstDay; day <= lastDay; day++) {
    const { mask } = screenedUniverse(loaded, stocks, day);
    if (mask) masks.set(mask, (day - start) * tickerCount);
  }
  return masks;
}

/**
 * The stocks of a universe by name. Tickers that no stock has are among them, so that a later answer can say so.
 * @throws ServiceError as {@link screenedUniverse}, and not_found if no stock has any of the tickers
 */
export function stocksOfUniverse(
  { dataset, panel, universes }: LoadedDataset,
  { universe, as_of }: ListScreenedStocksRequest,
): ListScreenedStocksResponse {
  const day = asOfDay(panel, as_of);
  const { mask } = screenedUniverse({ panel, universes }, universe, day);
  const { dates, tickers } = panel.columns;
  const answer = (named: string[]) => ({
    as_of: dates[day]!,
    tickers: named,
    dataset_version: dataset.version,
  });
  if (!universe?.tickers.length) return answer(tickers.filter((_, stock) => mask?.[stock] !== 0));
  const named = namedTickers({ panel, universes }, universe.tickers, day);
  // Refuses a list without any stock.
  knownTickers(panel, named);
  return answer(named);
}

/** Tickers in upper case without duplicates, with the members of a day in the place of universes. */
function namedTickers(
  { panel, universes }: Pick<LoadedDataset, 'panel' | 'universes'>,
  tickers: string[],
  day: number,
): string[] {
  const date = panel.columns.dates[day]!;
  const named = foldTickers(tickers).flatMap((ticker) => {
    const universe = universeIn(ticker);
    return universe === undefined ? [ticker] : membersOf(universes, universe, date);
  });
  return [...new Set(named)];
}

function ofSector({ columns }: Panel, wanted: string): Uint8Array {
  const { sector } = columns.listing;
  const mask = Uint8Array.from(sector, (name) => Number(codeOf(name ?? '') === codeOf(wanted)));
  if (!mask.includes(1)) {
    const known = [...new Set(sector.filter((name) => name !== null))].sort();
    const msg = known.length === 0 ? 'the dataset has no sectors' : `must be one of ${known.join(', ')}`;
    refuse([{ loc: ['universe', 'sector'], msg, type: 'enum', input: wanted }]);
  }
  return mask;
}

function ofTickers(panel: Panel, tickers: string[]): ScreenedUniverse {
  const mask = new Uint8Array(panel.tickerCount);
  const missing: string[] = [];
  for (const ticker of tickers) {
    const stock = panel.tickerIndex(ticker);
    if (stock < 0) missing.push(ticker);
    else mask[stock] = 1;
  }
  return { mask, missing };
}

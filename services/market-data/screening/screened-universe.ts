import type { ScreenedStocks } from '#proto/saring/market_data/v1/fields.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { refuse } from '#shared/invalid-request.ts';
import { codeOf, universeIn } from '#shared/text/codes.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { foldTickers } from '../responses/tickers.ts';
import { membersOf } from '../responses/universes.ts';

/** The stocks that a screen looks at. */
export interface ScreenedUniverse {
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
  const date = panel.columns.dates[day]!;
  const named = foldTickers(tickers).flatMap((ticker) => {
    const universe = universeIn(ticker);
    return universe === undefined ? [ticker] : membersOf(universes, universe, date);
  });
  return ofTickers(panel, named);
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

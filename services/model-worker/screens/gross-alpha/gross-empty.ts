import { longDate, plainNumber } from '#shared/indonesian.ts';
import { priceFilter, probabilityFilter, valueFilter } from '../common-filters.ts';
import { emptyBlock, type Filter } from '../empty-block.ts';
import { highestProbability } from '../learnt/floors.ts';
import type { GrossMarket, Selection } from './gross-market.ts';
import type { GrossAlphaParams } from './params.ts';

const LOWEST_PRICE_IDR = 50;

const RETAIL_FILTER: Filter<GrossAlphaParams> = {
  label: 'Saringan kenaikan yang didorong ritel',
  looser: ({ exclude_retail_led }) => (exclude_retail_led ? [{ exclude_retail_led: false }] : []),
  show: ({ exclude_retail_led }) => (exclude_retail_led ? 'aktif' : 'nonaktif'),
};

export function funnelOf({ scanned, afterProbability, afterRetailFilter, picks }: Selection) {
  return {
    total_scanned: scanned.length,
    after_probability: afterProbability.length,
    after_retail_filter: afterRetailFilter.length,
    final: picks.length,
  };
}

/** What the caller of model C is told when nothing passed. */
export function grossEmptyBlock(
  market: GrossMarket,
  params: GrossAlphaParams,
  selection: Selection,
  isoDate: string,
) {
  const { scanned, afterProbability, afterRetailFilter } = selection;
  const { min_probability, exclude_retail_led } = params;
  const retail = exclude_retail_led
    ? ` dan ${plainNumber(afterRetailFilter.length)} di antaranya tidak sedang didorong pembelian ritel`
    : '';
  return emptyBlock({
    message:
      `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
      `Dari ${plainNumber(scanned.length)} saham likuid, ${plainNumber(afterProbability.length)} mencapai ` +
      `probabilitas ${plainNumber(min_probability)}${retail}.`,
    funnel: funnelOf(selection),
    params,
    filters: [
      probabilityFilter({ highestPct: highestProbability(scanned) }),
      RETAIL_FILTER,
      valueFilter,
      priceFilter(LOWEST_PRICE_IDR),
    ],
    passing: (tried) => market.select(tried).afterRetailFilter.length,
  });
}

import { longDate, plainNumber } from '#shared/indonesian.ts';
import { above, below, priceFilter, signalsFilter, valueFilter } from './common-filters.ts';
import type { ConfluenceMarket, Selection } from './confluence-market.ts';
import type { ConfluenceParams } from './confluence-params.ts';
import { emptyBlock, type Filter } from './empty-block.ts';

const LOWEST_PRICE_IDR = 50;

const FILTERS: readonly Filter<ConfluenceParams>[] = [
  signalsFilter,
  {
    label: 'Rentang hari sinyal',
    looser: (params) =>
      above(params.lookback, [2, 3, 4, 5, 6, 7, 8, 9, 10]).map((lookback) => ({ lookback })),
    show: ({ lookback }) => `${lookback} hari`,
  },
  {
    label: 'Kelipatan volume minimum',
    looser: (params) =>
      below(params.vol_ratio_min, [4, 3, 2.5, 2, 1.75, 1.5, 1.25, 1]).map((vol_ratio_min) => ({
        vol_ratio_min,
      })),
    show: ({ vol_ratio_min }) => `${plainNumber(vol_ratio_min)}x`,
  },
  {
    label: 'Saringan penjual',
    looser: ({ seller_filter }) => (seller_filter ? [{ seller_filter: false }] : []),
    show: ({ seller_filter }) => (seller_filter ? 'aktif' : 'nonaktif'),
  },
  valueFilter,
  priceFilter(LOWEST_PRICE_IDR),
];

/** What the caller of model D is told when nothing passed. */
export function confluenceEmptyBlock(
  market: ConfluenceMarket,
  params: ConfluenceParams,
  { scanned, hits, afterSellerFilter }: Selection,
  isoDate: string,
) {
  return emptyBlock({
    message:
      `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
      `Dari ${plainNumber(scanned)} saham likuid, ${plainNumber(hits.length)} memiliki minimal ` +
      `${params.min_signals} sinyal dan ${plainNumber(afterSellerFilter.length)} lolos saringan penjual.`,
    funnel: {
      total_scanned: scanned,
      total_hits: hits.length,
      after_seller_filter: afterSellerFilter.length,
      final: 0,
    },
    params,
    filters: FILTERS,
    passing: (tried) => market.select(tried).afterSellerFilter.length,
  });
}

import type { ConfluenceMarket, Selection } from './confluence-market.ts';
import type { ConfluenceParams } from './confluence-params.ts';
import { longDate, plainNumber, rupiah } from '#shared/indonesian.ts';

export interface Suggestion {
  label: string;
  current: string;
  suggested: string;
  why: string;
}

/** A filter that can be loosened. */
interface Filter {
  label: string;
  /** The changes that loosen it, mildest first. */
  looser: (params: ConfluenceParams) => Partial<ConfluenceParams>[];
  show: (params: ConfluenceParams) => string;
}

const below = (current: number, steps: number[]) => steps.filter((step) => step < current);
const above = (current: number, steps: number[]) => steps.filter((step) => step > current);

const VALUE_STEPS_IDR = [50e9, 25e9, 10e9, 5e9, 2.5e9, 1e9, 500e6, 250e6, 100e6];
const PRICE_STEPS_IDR = [5000, 2000, 1000, 500, 200, 100, 50];

const FILTERS: readonly Filter[] = [
  {
    label: 'Sinyal minimum',
    looser: (params) => below(params.min_signals, [3, 2, 1]).map((min_signals) => ({ min_signals })),
    show: ({ min_signals }) => plainNumber(min_signals),
  },
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
  {
    label: 'Nilai transaksi harian minimum',
    looser: (params) =>
      below(params.min_daily_val, VALUE_STEPS_IDR).map((min_daily_val) => ({ min_daily_val })),
    show: ({ min_daily_val }) => rupiah(min_daily_val),
  },
  {
    label: 'Harga minimum',
    looser: (params) => below(params.min_price, PRICE_STEPS_IDR).map((min_price) => ({ min_price })),
    show: ({ min_price }) => rupiah(min_price),
  },
];

/** What the caller is told when nothing passed, with suggestions that were tried on the same market. */
export function emptyBlock(
  market: ConfluenceMarket,
  params: ConfluenceParams,
  { scanned, hits, afterSellerFilter }: Selection,
  isoDate: string,
) {
  const funnel = {
    total_scanned: scanned,
    total_hits: hits.length,
    after_seller_filter: afterSellerFilter.length,
    final: 0,
  };
  const message =
    `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
    `Dari ${plainNumber(scanned)} saham likuid, ${plainNumber(hits.length)} memiliki minimal ` +
    `${params.min_signals} sinyal dan ${plainNumber(afterSellerFilter.length)} lolos saringan penjual.`;
  const alone = FILTERS.flatMap((filter) => mildestThatHelps(filter, market, params));
  const suggestions = alone.length > 0 ? alone : allTogether(market, params);
  return { reason: 'no_results', message: `${message} ${advice(alone, suggestions)}`, funnel, suggestions };
}

function advice(alone: Suggestion[], suggestions: Suggestion[]): string {
  if (alone.length > 0) return 'Coba longgarkan salah satu saringan di bawah ini.';
  if (suggestions.length > 0) return 'Coba longgarkan semua saringan di bawah ini sekaligus.';
  return 'Coba tanggal analisis yang lain.';
}

/** The smallest step of one filter, the others as they are, that lets any stock through. */
function mildestThatHelps(filter: Filter, market: ConfluenceMarket, params: ConfluenceParams): Suggestion[] {
  for (const change of filter.looser(params)) {
    const passing = passingWith(market, params, change);
    if (passing > 0) return [suggestion(filter, params, change, `${plainNumber(passing)} saham akan lolos.`)];
  }
  return [];
}

/** Every filter loosened by the same number of steps, the fewest that are enough, when no single one is. */
function allTogether(market: ConfluenceMarket, params: ConfluenceParams): Suggestion[] {
  const ladders = FILTERS.map((filter) => ({ filter, changes: filter.looser(params) }));
  const longest = Math.max(...ladders.map(({ changes }) => changes.length));
  for (let step = 0; step < longest; step++) {
    const steps = ladders.flatMap(({ filter, changes }) => {
      const change = changes[Math.min(step, changes.length - 1)];
      return change ? [{ filter, change }] : [];
    });
    const all = steps.reduce<Partial<ConfluenceParams>>((sum, { change }) => ({ ...sum, ...change }), {});
    const passing = passingWith(market, params, all);
    const why = `Bersama saran lainnya, ${plainNumber(passing)} saham akan lolos.`;
    if (passing > 0) return steps.map(({ filter, change }) => suggestion(filter, params, change, why));
  }
  return [];
}

function passingWith(
  market: ConfluenceMarket,
  params: ConfluenceParams,
  change: Partial<ConfluenceParams>,
): number {
  return market.select({ ...params, ...change }).afterSellerFilter.length;
}

function suggestion(
  { label, show }: Filter,
  params: ConfluenceParams,
  change: Partial<ConfluenceParams>,
  why: string,
): Suggestion {
  return { label, current: show(params), suggested: show({ ...params, ...change }), why };
}

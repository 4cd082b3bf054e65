import { longDate, oneDecimal, plainNumber } from '#shared/indonesian.ts';
import { above, below, priceFilter, probabilityFilter, valueFilter } from '../common-filters.ts';
import { emptyBlock, type Filter } from '../empty-block.ts';
import type { GannMarket, Selection } from './gann-market.ts';
import type { GannParams } from './params.ts';

const LOWEST_PRICE_IDR = 50;
const CYCLE_SCORE_STEPS = Array.from({ length: 20 }, (_, i) => 95 - 5 * i);

export function funnelOf({ scanned, liquid, onCycle, likely, picks }: Selection) {
  return {
    total_scanned: scanned.length,
    total_liquid: liquid.length,
    after_cycle: onCycle.length,
    after_probability: likely.length,
    final: picks.length,
  };
}

/** What the caller of model B is told when nothing passed. */
export function gannEmptyBlock(
  market: GannMarket,
  params: GannParams,
  selection: Selection,
  isoDate: string,
) {
  const { liquid, onCycle, likely } = selection;
  const afterProbability = params.use_ml ? ` dan ${plainNumber(likely.length)} lolos probabilitas` : '';
  return emptyBlock({
    message:
      `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
      `Dari ${plainNumber(liquid.length)} saham likuid, ${plainNumber(onCycle.length)} mencapai skor siklus ` +
      `${plainNumber(params.min_cycle_score)}${afterProbability}.`,
    funnel: funnelOf(selection),
    params,
    filters: [
      ...(params.use_ml ? [probabilities(selection)] : []),
      cycleScores(selection),
      ...(params.use_ml ? [] : TOLERANCES),
      valueFilter,
      priceFilter(LOWEST_PRICE_IDR),
    ],
    passing: (tried) => market.select(tried).likely.length,
  });
}

function probabilities({ liquid }: Selection) {
  const percents = liquid.flatMap(({ stock }) => stock.probability ?? []);
  const highestPct = percents.length === 0 ? undefined : Math.max(...percents);
  return probabilityFilter({ highestPct });
}

function cycleScores({ liquid }: Selection): Filter<GannParams> {
  const highest = Math.max(...liquid.map(({ cycle }) => cycle.score));
  return {
    label: 'Skor siklus minimum',
    looser: (params) =>
      below(params.min_cycle_score, CYCLE_SCORE_STEPS).map((min_cycle_score) => ({ min_cycle_score })),
    show: ({ min_cycle_score }) => plainNumber(min_cycle_score),
    reason: ({ min_cycle_score }) =>
      liquid.length > 0 && highest < min_cycle_score
        ? `Skor tertinggi hari ini ${oneDecimal(highest)} sehingga ambang ${plainNumber(min_cycle_score)} menyaring semua saham.`
        : undefined,
  };
}

/** Of runs that learn nothing: what a model would make of other tolerances, only learning anew could tell. */
const TOLERANCES: readonly Filter<GannParams>[] = [
  {
    label: 'Toleransi siklus',
    looser: (params) =>
      above(params.cycle_tolerance, [1, 2, 3, 4, 5]).map((cycle_tolerance) => ({ cycle_tolerance })),
    show: ({ cycle_tolerance }) => `${cycle_tolerance} hari`,
  },
  {
    label: 'Toleransi harga',
    looser: (params) =>
      above(params.price_tolerance_pct, [1, 1.5, 2, 3, 4, 5]).map((price_tolerance_pct) => ({
        price_tolerance_pct,
      })),
    show: ({ price_tolerance_pct }) => `${plainNumber(price_tolerance_pct)}%`,
  },
];

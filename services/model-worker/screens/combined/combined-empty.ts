import { longDate, plainNumber } from '#shared/indonesian.ts';
import { priceFilter, probabilityFilter, signalsFilter, valueFilter } from '../common-filters.ts';
import { emptyBlock, type Filter } from '../empty-block.ts';
import { highestProbability } from '../learnt/floors.ts';
import type { CombinedMarket, Selection } from './combined-market.ts';
import type { CombinedParams } from './params.ts';

const LOWEST_PRICE_IDR = 100;

/** The only strategy with rules of its own beside the floors. */
const STRATEGY_FILTER: Filter<CombinedParams> = {
  label: 'Strategi',
  looser: ({ strategy }) => (strategy === 'Intersection' ? [{ strategy: 'Hybrid Score' }] : []),
  show: ({ strategy }) => strategy,
  reason: () => 'Irisan dua daftar terlalu sempit hari ini.',
};

export function funnelOf({ liquid, afterProbability, afterSignals, picks }: Selection) {
  return {
    total_liquid: liquid.length,
    after_probability: afterProbability.length,
    after_signals: afterSignals.length,
    final: picks.length,
  };
}

/** What the caller of model F is told when nothing passed. */
export function combinedEmptyBlock(
  market: CombinedMarket,
  params: CombinedParams,
  selection: Selection,
  isoDate: string,
) {
  const { liquid, afterProbability, afterSignals } = selection;
  return emptyBlock({
    message:
      `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
      `Dari ${plainNumber(liquid.length)} saham likuid, ${plainNumber(afterProbability.length)} lolos probabilitas ` +
      `dan ${plainNumber(afterSignals.length)} lolos sinyal.`,
    funnel: funnelOf(selection),
    params,
    filters: [
      probabilityFilter({ highestPct: highestProbability(liquid) }),
      signalsFilter,
      STRATEGY_FILTER,
      valueFilter,
      priceFilter(LOWEST_PRICE_IDR),
    ],
    passing: (tried) => passing(market.select(tried), tried),
  });
}

/** Compare All ranks only what one of its lists picks, but lets through all that any of them could. */
function passing({ afterSignals, ranked }: Selection, { strategy }: CombinedParams): number {
  return strategy === 'Compare All' ? afterSignals.length : ranked.length;
}

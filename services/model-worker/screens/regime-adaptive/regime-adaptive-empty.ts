import type { Regime } from '#quant/regime/regime.ts';
import { longDate, plainNumber } from '#shared/indonesian.ts';
import { priceFilter, probabilityFilter, valueFilter } from '../common-filters.ts';
import { emptyBlock } from '../empty-block.ts';
import { highestProbability } from '../learnt/floors.ts';
import type { Selection } from './adapted-market.ts';
import type { RegimeAdaptiveParams } from './params.ts';
import { effective } from './regime-rules.ts';

const LOWEST_PRICE_IDR = 50;
const IN_WORDS: Record<Regime, string> = { BULL: 'naik', SIDEWAYS: 'mendatar', BEAR: 'turun' };

interface EmptyScreen {
  select: (params: RegimeAdaptiveParams) => Selection;
  params: RegimeAdaptiveParams;
  regime: Regime;
  isoDate: string;
}

export function funnelOf({ scanned, afterProbability, picks }: Selection) {
  return {
    total_scanned: scanned.length,
    after_probability: afterProbability.length,
    final: picks.length,
  };
}

/** What the caller of model A is told when nothing passed. */
export function regimeAdaptiveEmptyBlock({ select, params, regime, isoDate }: EmptyScreen) {
  const selection = select(params);
  const { scanned, afterProbability } = selection;
  const { minProbability } = effective(params, regime);
  return emptyBlock({
    message:
      `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
      `Dari ${plainNumber(scanned.length)} saham likuid, ${plainNumber(afterProbability.length)} mencapai ` +
      `probabilitas ${plainNumber(minProbability)} yang berlaku saat pasar ${IN_WORDS[regime]}.`,
    funnel: funnelOf(selection),
    params,
    filters: [
      probabilityFilter({
        highestPct: highestProbability(scanned),
        thresholdPct: (tried) => effective({ ...params, ...tried }, regime).minProbability,
      }),
      valueFilter,
      priceFilter(LOWEST_PRICE_IDR),
    ],
    passing: (tried) => select(tried).afterProbability.length,
  });
}

import type { GrossFunnel } from './result.ts';
import { Localised } from '#foundation/text/localised.ts';
import type { Formats } from '#foundation/text/languages.ts';
import { type Filter, liquidityFilters, probabilityFilter, switched } from '../picks/empty-block.ts';
import type { ScoredStock } from '../trained/trained-market.ts';
import { unlessSwitchedOff } from '../picks/funnel.ts';
import {
  byScore,
  highestProbability,
  liquidStep,
  probabilityStep,
  type RankedStock,
} from '../picks/ranking.ts';
import type { Rules } from '../picks/selection.ts';
import type { GroupTrades } from './group-trades.ts';
import { type GrossAlphaParams, params as declared } from './params.ts';

type GrossRules = Rules<
  ScoredStock,
  GrossAlphaParams,
  RankedStock,
  keyof Omit<GrossFunnel, 'total_scanned' | 'final'>
>;

/** Weight of the group in the score. The rest is the probability, so the group decides between names of similar probability. */
const GROUP_SHARE = 0.3;

export function grossRules({ groupPlaces, retailLed }: GroupTrades): GrossRules {
  const notLed = unlessSwitchedOff<ScoredStock, GrossAlphaParams, 'exclude_retail_led'>(
    'exclude_retail_led',
    ({ row }) => !retailLed.has(row),
  );
  const scored = (stock: ScoredStock): RankedStock => {
    const fromProbability = (1 - GROUP_SHARE) * stock.probability;
    return { stock, score: fromProbability + GROUP_SHARE * groupPlaces.get(stock.row)!, fromProbability };
  };
  return {
    steps: [liquidStep(), probabilityStep(), { name: 'after_retail_filter', conditions: [notLed] }],
    rank: (passing) => byScore(passing.map(scored)),
  };
}

const RETAIL_FILTER: Filter<GrossAlphaParams> = {
  label: new Localised('Saringan kenaikan yang didorong ritel', 'Filter of rises that retail brokers drive'),
  looser: ({ exclude_retail_led }) => (exclude_retail_led ? [{ exclude_retail_led: false }] : []),
  show: ({ exclude_retail_led }) => switched(exclude_retail_led),
};

/** Why a run of model C has no picks. */
export function whyNone({
  lists,
  params,
}: {
  lists: readonly (readonly ScoredStock[])[];
  params: GrossAlphaParams;
}) {
  const [, liquid = [], afterProbability = [], afterRetailFilter = []] = lists;
  const { min_probability, exclude_retail_led } = params;
  return {
    id: ({ exact, plain }: Formats) =>
      `${plain(afterProbability.length)} mencapai probabilitas ${exact(min_probability)}` +
      (exclude_retail_led
        ? ` dan ${plain(afterRetailFilter.length)} di antaranya tidak sedang didorong pembelian ritel`
        : ''),
    en: ({ exact, plain }: Formats) =>
      `${plain(afterProbability.length)} reached a probability of ${exact(min_probability)}` +
      (exclude_retail_led
        ? `, and ${plain(afterRetailFilter.length)} of them are not driven by retail buying`
        : ''),
    filters: [
      probabilityFilter({ highestPct: highestProbability(liquid) }),
      RETAIL_FILTER,
      ...liquidityFilters(declared.min_price),
    ],
  };
}

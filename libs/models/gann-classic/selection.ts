import type { GannFunnel } from './result.ts';
import { Localised, localised } from '#foundation/text/localised.ts';
import type { Formats } from '#foundation/text/languages.ts';
import {
  above,
  below,
  days,
  type Filter,
  liquidityFilters,
  probabilityFilter,
  shown,
} from '../picks/empty-block.ts';
import type { PicksOf } from '../trained/trained-market.ts';
import { atLeast } from '../picks/funnel.ts';
import { highestProbability, liquidStep } from '../picks/ranking.ts';
import { type Rules, Selection, wholeMarket } from '../picks/selection.ts';
import type { ScoreOf } from './cycle-scores.ts';
import type { GannStock } from './day.ts';
import { type GannParams, params as declared } from './params.ts';

/** A name with its cycle score. */
export interface Turning {
  stock: GannStock;
  cycleScore: number;
  /** The value it is ranked by, 0 to 100: the probability if one was trained, otherwise the cycle score. */
  score: number;
}

type GannRules = Rules<GannStock, GannParams, Turning, keyof Omit<GannFunnel, 'total_scanned' | 'final'>>;

/** Scores are read when a step or the ranking asks for them. */
export function gannRules(scoreOf: ScoreOf): GannRules {
  return {
    steps: [
      liquidStep(),
      { name: 'after_cycle', conditions: [atLeast('min_cycle_score', scoreOf)] },
      { name: 'after_probability', conditions: [likely] },
    ],
    rank: (passing) =>
      passing
        .map((stock): Turning => {
          const cycleScore = scoreOf(stock);
          return { stock, cycleScore, score: stock.probability ?? cycleScore };
        })
        .toSorted(bestFirst),
  };
}

/** Without learning there is no probability, so every name passes. */
const likely = atLeast<GannStock, GannParams, 'min_probability'>(
  'min_probability',
  ({ probability }) => probability ?? 100,
);

/** The names a run would pick on a past day. */
export function picksOfPastDays(scoreOf: ScoreOf, asked: GannParams): PicksOf<GannStock> {
  const params = wholeMarket(asked);
  const rules = gannRules(scoreOf);
  // Only names that pass the other steps are given: to read cycles takes most of the time.
  const others = [...liquidStep<GannParams>().conditions, likely];
  return (ofDay) => {
    const candidates = ofDay.filter((stock) => others.every(({ holds }) => holds(stock, params)));
    return new Selection(candidates, params, () => rules).stocks;
  };
}

/** Orders by the unrounded chance, if there is one, then cycle score, traded value and code. */
function bestFirst(a: Turning, b: Turning): number {
  return (
    (b.stock.chance ?? 0) - (a.stock.chance ?? 0) ||
    b.cycleScore - a.cycleScore ||
    b.stock.averageValue - a.stock.averageValue ||
    (a.stock.code < b.stock.code ? -1 : 1)
  );
}

const CYCLE_SCORE_STEPS = Array.from({ length: 20 }, (_, i) => 95 - 5 * i);

/** Why a run of model B has no picks. */
export function whyNone(
  scoreOf: ScoreOf,
  { lists, params }: { lists: readonly (readonly GannStock[])[]; params: GannParams },
) {
  const [, liquid = [], onCycle = [], likely = []] = lists;
  const { use_ml, min_cycle_score } = params;
  const scores = cycleScores(liquid.map(scoreOf));
  return {
    id: ({ exact, plain }: Formats) =>
      `${plain(onCycle.length)} mencapai skor siklus ${exact(min_cycle_score)}` +
      (use_ml ? ` dan ${plain(likely.length)} di antaranya lolos probabilitas` : ''),
    en: ({ exact, plain }: Formats) =>
      `${plain(onCycle.length)} reached a cycle score of ${exact(min_cycle_score)}` +
      (use_ml ? `, and ${plain(likely.length)} of them passed the probability` : ''),
    filters: [
      ...(use_ml
        ? [probabilityFilter({ highestPct: highestProbability(liquid) }), scores]
        : [scores, ...TOLERANCES]),
      ...liquidityFilters(declared.min_price),
    ],
  };
}

function cycleScores(ofLiquid: readonly number[]): Filter<GannParams> {
  const highest = Math.max(...ofLiquid);
  return {
    label: new Localised('Skor siklus minimum', 'Lowest cycle score'),
    looser: (params) =>
      below(params.min_cycle_score, CYCLE_SCORE_STEPS).map((min_cycle_score) => ({ min_cycle_score })),
    show: ({ min_cycle_score }) => shown(({ exact }) => exact(min_cycle_score)),
    reason: ({ min_cycle_score }) =>
      ofLiquid.length > 0 && highest < min_cycle_score
        ? localised(
            ({ exact, oneDecimal }) =>
              `Skor tertinggi hari ini ${oneDecimal(roundedDown(highest))} sehingga ambang ${exact(min_cycle_score)} menyaring semua saham.`,
            ({ exact, oneDecimal }) =>
              `The highest score today is ${oneDecimal(roundedDown(highest))}, so that the threshold of ${exact(min_cycle_score)} leaves out every stock.`,
          )
        : undefined,
  };
}

/** Rounds down to one decimal, so that a score below a threshold never looks equal to it. */
function roundedDown(score: number): number {
  return Math.floor(10 * score) / 10;
}

/** Only for runs that learn nothing: with a model, the effect of other tolerances is known only after learning again. */
const TOLERANCES: readonly Filter<GannParams>[] = [
  {
    label: new Localised('Toleransi siklus', 'Tolerance of cycles'),
    looser: (params) =>
      above(params.cycle_tolerance, [1, 2, 3, 4, 5]).map((cycle_tolerance) => ({ cycle_tolerance })),
    show: ({ cycle_tolerance }) => days(cycle_tolerance),
  },
  {
    label: new Localised('Toleransi harga', 'Tolerance of price'),
    looser: (params) =>
      above(params.price_tolerance_pct, [1, 1.5, 2, 3, 4, 5]).map((price_tolerance_pct) => ({
        price_tolerance_pct,
      })),
    show: ({ price_tolerance_pct }) => shown(({ exact }) => `${exact(price_tolerance_pct)}%`),
  },
];

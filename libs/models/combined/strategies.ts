import { type Hit, strongestFirst } from '../confluence-filter/selection.ts';
import type { ScoredStock } from '../trained/trained-market.ts';
import { byScore, likeliestFirst, type Score } from '../picks/ranking.ts';
import { type CombinedParams, COMPARE_ALL, STRATEGIES, type Strategy } from './params.ts';

/** A name above the floors of price, value and probability. */
export interface Contender {
  stock: ScoredStock;
  hit: Hit;
  /** Whether it is among the most probable names of the day and passes model D with its seller filter. */
  isOnBothLists: boolean;
}

export interface Ranked extends Contender, Score {
  /** Only in Compare All: the place, from 1, in the list of each strategy that picks it. */
  places?: Partial<Record<Strategy, number>>;
}

type Weights = Pick<CombinedParams, 'prob_weight' | 'signal_penalty' | 'min_signals'>;

/** P and S of the formulas, each 0 to 1. */
const likelihood = ({ stock }: Contender) => stock.probability / 100;
const agreement = ({ hit }: Contender) => hit.reading.count / 4;

/** w P + (1 - w) S, in percent. */
export function hybridScore(contender: Contender, { prob_weight: w }: Pick<Weights, 'prob_weight'>): number {
  return 100 * (w * likelihood(contender) + (1 - w) * agreement(contender));
}

function hybrid(contender: Contender, weights: Weights): Score {
  const fromProbability = 100 * weights.prob_weight * likelihood(contender);
  return { score: hybridScore(contender, weights), fromProbability };
}

/**
 * P (w + (1 - w)(1 - k S)), in percent, from `min_signals` signals on: a move that many signals already confirm is late, so
 * signals lower the score. With fewer signals the score is P.
 */
function inverse(contender: Contender, weights: Weights): Score {
  const { prob_weight: w, signal_penalty: k } = weights;
  const crowding = hasSignals(contender, weights) ? agreement(contender) : 0;
  const score = 100 * likelihood(contender) * (w + (1 - w) * (1 - k * crowding));
  return { score, fromProbability: contender.stock.probability };
}

function hasSignals({ hit }: Contender, { min_signals }: Pick<Weights, 'min_signals'>): boolean {
  return hit.reading.count >= min_signals;
}

/**
 * Whether `min_signals` is a floor. In Inverse Signal signals count against a name, and `min_signals` is where the discount
 * begins. Compare All shows what any strategy admits.
 */
export function hasSignalsFloor(strategy: CombinedParams['strategy']): boolean {
  return strategy !== 'Inverse Signal' && strategy !== COMPARE_ALL;
}

/** Whether a strategy considers a name. */
function isAdmitted(
  strategy: CombinedParams['strategy'],
  contender: Contender,
  weights: Pick<Weights, 'min_signals'>,
): boolean {
  return !hasSignalsFloor(strategy) || hasSignals(contender, weights);
}

const RANKINGS: Record<Strategy, (contenders: readonly Contender[], weights: Weights) => Ranked[]> = {
  'Inverse Signal': (contenders, weights) => scored(contenders, (each) => inverse(each, weights)),
  Gated: (contenders) =>
    scored(contenders, ({ stock: { probability } }) => ({
      score: probability,
      fromProbability: probability,
    })),
  'Hybrid Score': (contenders, weights) => scored(contenders, (each) => hybrid(each, weights)),
  Intersection: (contenders, weights) =>
    byWeightedPlace(
      contenders.filter(({ isOnBothLists }) => isOnBothLists),
      weights,
    ),
};

/**
 * Ranks every name that the strategy admits, best first. `prob_weight` is the weight of the probability where the order uses
 * both probability and signals. Gated uses signals only as a floor and ignores it. `min_signals` is a floor in every strategy
 * but Inverse Signal.
 */
export function rank(strategy: Strategy, contenders: readonly Contender[], weights: Weights): Ranked[] {
  const admitted = contenders.filter((contender) => isAdmitted(strategy, contender, weights));
  return RANKINGS[strategy](admitted, weights);
}

/**
 * The union of every strategy's picks, ordered by the number of strategies that pick a name and then by the hybrid score.
 * `signal_penalty` affects only the list of Inverse Signal.
 */
export function compareAll(
  contenders: readonly Contender[],
  params: Weights & { max_picks: number },
): Ranked[] {
  const places = new Map<ScoredStock, Partial<Record<Strategy, number>>>();
  for (const strategy of STRATEGIES) {
    const picked = rank(strategy, contenders, params).slice(0, params.max_picks);
    picked.forEach(({ stock }, i) => {
      places.set(stock, { ...places.get(stock), [strategy]: i + 1 });
    });
  }
  const union = scored(
    contenders.filter(({ stock }) => places.has(stock)),
    (each) => hybrid(each, params),
  );
  return union
    .map((ranked) => ({ ...ranked, places: places.get(ranked.stock)! }))
    .toSorted((a, b) => votes(b) - votes(a));
}

/** The names that the run's strategy admits, best first. There may be more than `max_picks`. */
export function rankedBy(contenders: readonly Contender[], params: CombinedParams): Ranked[] {
  const { strategy } = params;
  return strategy === COMPARE_ALL ? compareAll(contenders, params) : rank(strategy, contenders, params);
}

/** The number of strategies that pick the name. */
export function votes({ places = {} }: Ranked): number {
  return Object.keys(places).length;
}

function scored(contenders: readonly Contender[], scoreOf: (contender: Contender) => Score): Ranked[] {
  return byScore(contenders.map((contender) => ({ ...contender, ...scoreOf(contender) })));
}

/** Scores each name by the weighted mean of its places in both lists; 100 if it is first in both. */
function byWeightedPlace(contenders: readonly Contender[], { prob_weight: w }: Weights): Ranked[] {
  const placeIn = (list: readonly Contender[]) => new Map(list.map((contender, i) => [contender, i]));
  const likely = placeIn(contenders.toSorted((a, b) => likeliestFirst(a.stock, b.stock)));
  const strong = placeIn(contenders.toSorted((a, b) => strongestFirst(a.hit, b.hit)));
  return scored(contenders, (contender) => {
    const likelyPlace = w * likely.get(contender)!;
    const place = likelyPlace + (1 - w) * strong.get(contender)!;
    return {
      score: 100 * (1 - place / contenders.length),
      fromProbability: 100 * (w - likelyPlace / contenders.length),
    };
  });
}

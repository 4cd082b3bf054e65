import { strongestFirst, type Hit } from '../confluence-market.ts';
import { likeliestFirst } from '../learnt/floors.ts';
import type { ScoredStock } from '../learnt/learnt-market.ts';
import { STRATEGIES, type CombinedParams, type Strategy } from './params.ts';

/** A name above the floors of price, value, probability and signals. */
export interface Contender {
  stock: ScoredStock;
  hit: Omit<Hit, 'series'>;
  /** Whether it is among the likeliest of the day and passes model D with its seller filter. */
  isOnBothLists: boolean;
}

export interface Ranked {
  contender: Contender;
  /** What it is ranked by, 0 to 100. */
  score: number;
  /** Of Compare All: the place, from 1, in the list of each strategy that picks it. */
  places?: Partial<Record<Strategy, number>>;
}

type Weights = Pick<CombinedParams, 'prob_weight' | 'signal_penalty'>;

/** P and S of the formulas, each 0 to 1. */
const likelihood = ({ stock }: Contender) => stock.probability / 100;
const agreement = ({ hit }: Contender) => hit.reading.count / 4;

/** w P + (1 - w) S, in percent. */
export function hybridScore(contender: Contender, { prob_weight: w }: Pick<Weights, 'prob_weight'>): number {
  return 100 * (w * likelihood(contender) + (1 - w) * agreement(contender));
}

/** P (w + (1 - w)(1 - k S)), in percent: what many signals confirm already is late, so they take from the probability. */
function inverseScore(contender: Contender, { prob_weight: w, signal_penalty: k }: Weights): number {
  return 100 * likelihood(contender) * (w + (1 - w) * (1 - k * agreement(contender)));
}

const RANKINGS: Record<Strategy, (contenders: readonly Contender[], weights: Weights) => Ranked[]> = {
  'Inverse Signal': (contenders, weights) => byScore(contenders, (each) => inverseScore(each, weights)),
  Gated: (contenders) => byScore(contenders, ({ stock }) => stock.probability),
  'Hybrid Score': (contenders, weights) => byScore(contenders, (each) => hybridScore(each, weights)),
  Intersection: (contenders, weights) =>
    byWeightedPlace(
      contenders.filter(({ isOnBothLists }) => isOnBothLists),
      weights,
    ),
};

/**
 * Best first, every name the strategy admits. Where probability and signals are both in the order, `prob_weight` is
 * the weight of the first; Gated uses signals as a floor only and so has nothing to weigh.
 */
export function rank(strategy: Strategy, contenders: readonly Contender[], weights: Weights): Ranked[] {
  return RANKINGS[strategy](contenders, weights);
}

/**
 * The union of what each strategy would pick, by how many pick it and then by the hybrid score. `signal_penalty` has a
 * part in it through the list of Inverse Signal alone.
 */
export function compareAll(
  contenders: readonly Contender[],
  params: Weights & { max_picks: number },
): Ranked[] {
  const places = new Map<Contender, Partial<Record<Strategy, number>>>();
  for (const strategy of STRATEGIES) {
    const picked = rank(strategy, contenders, params).slice(0, params.max_picks);
    picked.forEach(({ contender }, i) => {
      places.set(contender, { ...places.get(contender), [strategy]: i + 1 });
    });
  }
  const union = byScore([...places.keys()], (each) => hybridScore(each, params));
  return union
    .map((ranked) => ({ ...ranked, places: places.get(ranked.contender)! }))
    .toSorted((a, b) => votes(b) - votes(a));
}

/** What the run's strategy admits, best first: as many as it may pick, and perhaps more. */
export function rankedBy(contenders: readonly Contender[], params: CombinedParams): Ranked[] {
  const { strategy } = params;
  return strategy === 'Compare All' ? compareAll(contenders, params) : rank(strategy, contenders, params);
}

/** How many strategies pick it. */
export function votes({ places = {} }: Ranked): number {
  return Object.keys(places).length;
}

function byScore(contenders: readonly Contender[], scoreOf: (contender: Contender) => number): Ranked[] {
  return contenders
    .map((contender) => ({ contender, score: scoreOf(contender) }))
    .toSorted((a, b) => b.score - a.score || likeliestFirst(a.contender.stock, b.contender.stock));
}

/** The mean of the places in both lists, weighted; 100 for the first of both. */
function byWeightedPlace(contenders: readonly Contender[], { prob_weight: w }: Weights): Ranked[] {
  const placeIn = (list: readonly Contender[]) => new Map(list.map((contender, i) => [contender, i]));
  const likely = placeIn(contenders.toSorted((a, b) => likeliestFirst(a.stock, b.stock)));
  const strong = placeIn(contenders.toSorted((a, b) => strongestFirst(a.hit, b.hit)));
  return byScore(contenders, (contender) => {
    const place = w * likely.get(contender)! + (1 - w) * strong.get(contender)!;
    return 100 * (1 - place / contenders.length);
  });
}

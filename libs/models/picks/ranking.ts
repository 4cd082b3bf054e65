import type { Floors } from '#quant/universe/liquidity.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { atLeast, type Step } from './funnel.ts';
import type { ScoredStock } from '../trained/trained-market.ts';

/** The value that picks are ranked by, highest first, and how it comes about. */
export interface Score {
  /** 0 to 100. */
  score: number;
  /** The points of it that come from the probability. What the model adds or takes away makes up the rest. */
  fromProbability: number;
}

export interface RankedStock extends Score {
  stock: ScoredStock;
}

/** A score and its two parts with one decimal, so that the parts shown add up to the score shown. */
export function shownScore({ score, fromProbability }: Score) {
  const [shown, first] = [toDecimals(score, 1), toDecimals(fromProbability, 1)];
  return { score: shown, fromProbability: first, fromRest: toDecimals(shown - first, 1) };
}

type Priced = Pick<ScoredStock, 'close' | 'averageValue'>;

/** The first step of every screen: names that are liquid enough and not too cheap. */
export function liquidStep<Params extends Floors>(): Step<Priced, Params, 'total_liquid'> {
  return {
    name: 'total_liquid',
    conditions: [
      atLeast('min_price', ({ close }: Priced) => close),
      atLeast('min_daily_val', ({ averageValue }: Priced) => averageValue),
    ],
  };
}

/** Names that are probable enough. */
export function probabilityStep<Params extends { min_probability: number }>(): Step<
  Pick<ScoredStock, 'probability'>,
  Params,
  'after_probability'
> {
  return {
    name: 'after_probability',
    conditions: [
      atLeast('min_probability', ({ probability }: Pick<ScoredStock, 'probability'>) => probability),
    ],
  };
}

/** Orders by score, highest first. */
export function byScore<Ranked extends RankedStock>(stocks: readonly Ranked[]): Ranked[] {
  return stocks.toSorted((a, b) => b.score - a.score || likeliestFirst(a.stock, b.stock));
}

/** Orders by the unrounded chance, then by code, so the order is deterministic. */
export function likeliestFirst(a: ScoredStock, b: ScoredStock): number {
  return b.chance - a.chance || (a.code < b.code ? -1 : 1);
}

/** In percent; undefined if no stock has a probability. */
export function highestProbability(
  stocks: readonly Partial<Pick<ScoredStock, 'probability'>>[],
): number | undefined {
  const percents = stocks.flatMap(({ probability }) => probability ?? []);
  return percents.length === 0 ? undefined : Math.max(...percents);
}

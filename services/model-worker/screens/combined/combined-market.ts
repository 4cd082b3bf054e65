import type { ConfluenceMarket } from '../confluence-market.ts';
import { isAboveFloors, likeliestFirst } from '../learnt/floors.ts';
import type { ScoredStock } from '../learnt/learnt-market.ts';
import { confluenceParams, likeliestCount, type CombinedParams } from './params.ts';
import { rankedBy, type Contender, type Ranked } from './strategies.ts';

/** How the universe was narrowed: each list is part of the one before. */
export interface Selection {
  liquid: ScoredStock[];
  afterProbability: ScoredStock[];
  afterSignals: Contender[];
  /** What the strategy admits of them, best first. */
  ranked: Ranked[];
  /** The first `max_picks` of it. */
  picks: Ranked[];
}

/** The scored market of one day beside the same market as model D sees it. Trying other parameters costs next to nothing. */
export class CombinedMarket {
  readonly #stocks: readonly ScoredStock[];
  readonly #confluence: ConfluenceMarket;

  constructor(stocks: readonly ScoredStock[], confluence: ConfluenceMarket) {
    this.#stocks = stocks;
    this.#confluence = confluence;
  }

  select(params: CombinedParams): Selection {
    const liquid = this.#stocks.filter((stock) => isAboveFloors(stock, params));
    const afterProbability = liquid.filter(({ probability }) => probability >= params.min_probability);
    const afterSignals = this.#contenders(afterProbability, params);
    const ranked = rankedBy(afterSignals, params);
    return { liquid, afterProbability, afterSignals, ranked, picks: ranked.slice(0, params.max_picks) };
  }

  #contenders(stocks: readonly ScoredStock[], params: CombinedParams): Contender[] {
    const { hits, afterSellerFilter } = this.#confluence.select(
      confluenceParams(params, needsSellers(params)),
    );
    const hitOf = new Map(hits.map((hit) => [hit.stock.ticker, hit]));
    const onModelD = new Set(afterSellerFilter.map(({ stock }) => stock.ticker));
    const likeliest = likeliestOf(stocks, params);
    return stocks.flatMap((stock) => {
      const hit = hitOf.get(stock.ticker);
      return hit ? [{ stock, hit, isOnBothLists: likeliest.has(stock) && onModelD.has(stock.ticker) }] : [];
    });
  }
}

/** The names that Intersection looks at. */
export function likeliestOf(stocks: readonly ScoredStock[], params: CombinedParams): Set<ScoredStock> {
  return new Set(stocks.toSorted(likeliestFirst).slice(0, likeliestCount(params)));
}

/** Whether Intersection, the one strategy that asks who sells, has a part in the run. */
export function needsSellers({ strategy }: Pick<CombinedParams, 'strategy'>): boolean {
  return strategy === 'Intersection' || strategy === 'Compare All';
}

import type { RunExplanation } from '../picks/run-explanation.ts';

/** What a run says of a stock that it scored. */
export interface StockScore {
  ticker: string;
  /** Percent; absent if no model was trained. */
  probability?: number | undefined;
  /** Place, from 1, among the names that were ranked; absent for others. */
  rank?: number | undefined;
  picked: boolean;
}

/** What a run says of every name of its universe, as the explanation of each name says it. */
export function stockScores({ names, model }: Pick<RunExplanation, 'names' | 'model'>): StockScore[] {
  return names.map(({ ticker, place, fell }, name) => ({
    ticker,
    probability: model?.probability[name],
    rank: place ?? undefined,
    picked: fell === null,
  }));
}

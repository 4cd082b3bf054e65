import fc from 'fast-check';
import type { Contender, Ranked } from './strategies.ts';

interface Given {
  isOnBothLists: boolean;
  volumeRatio: number;
}

/** A name with a probability in percent and a number of signals. Names with equally many signals are ordered by volume. */
export function contender(
  code: string,
  probability: number,
  signals: number,
  more: Partial<Given> = {},
): Contender {
  const { isOnBothLists = true, volumeRatio = 1 } = more;
  const name = { code, ticker: 0, close: 1000, averageValue: 1e10 };
  const barsAgo = { stochastic: null, macd: null, ma_cross: null, volume: null };
  return {
    stock: { ...name, row: 0, panelRow: 0, probability, chance: probability / 100, baseRate: 0.5 },
    hit: { stock: name, reading: { count: signals, barsAgo, volumeRatio } },
    isOnBothLists,
  };
}

export const WEIGHTS = { prob_weight: 0.6, signal_penalty: 0.3, min_signals: 1 };
export const codes = (ranked: Pick<Ranked, 'stock'>[]) => ranked.map((each) => each.stock.code);
export const scores = (ranked: Pick<Ranked, 'score'>[]) =>
  ranked.map(({ score }) => Number(score.toFixed(6)));

export const anyContenders = fc
  .uniqueArray(
    fc.record({
      code: fc.stringMatching(/^[A-Z]{4}$/),
      probability: fc.integer({ min: 300, max: 1000 }).map((tenths) => tenths / 10),
      signals: fc.integer({ min: 0, max: 4 }),
      isOnBothLists: fc.boolean(),
      volumeRatio: fc.constantFrom(0.5, 1, 2),
    }),
    { selector: ({ code }) => code, maxLength: 30 },
  )
  .map((list) =>
    list.map(({ code, probability, signals, ...more }) => contender(code, probability, signals, more)),
  );
export const anyWeights = fc.record({
  prob_weight: fc.double({ min: 0.3, max: 0.8, noNaN: true }),
  signal_penalty: fc.double({ min: 0, max: 0.5, noNaN: true }),
  min_signals: fc.integer({ min: 1, max: 4 }),
});

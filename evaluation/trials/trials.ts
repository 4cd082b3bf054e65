import { rawScores, type TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import type { TrialDay } from './trial-day.ts';
import type { TrainingSet } from '#models/learnt/training.ts';
import { priceLimits, tickSize } from '#quant/exchange/exchange.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { ExtraFeatures } from '#models/learnt/learnt-market.ts';

/** A way to rank the names of a day that might beat the current one. */
export interface Trial {
  name: string;
  /** The difference from the current way. */
  change: string;
  /** One score per row of the day, higher for better names. Only their order counts. */
  scoresOf: (day: TrialDay) => Float64Array;
  /** Whether the trial makes picks on the day; always, if absent. */
  isOpen?: (day: TrialDay) => boolean;
}

/** Every round scores all training rows in JavaScript, so trials use few rounds with larger steps. */
const LAMBDA_ROUNDS = 20;
const SEEDS = [1, 2, 3, 4, 5];
const seeded = (seed: number): Trial => ({
  name: `seed ${seed}`,
  change: 'nothing but the seed: what chance alone does',
  scoresOf: (day) => day.score(day.train({ parameters: { seed } })),
});

/** The others are compared with the first. */
export const TRIALS: readonly Trial[] = [
  { name: 'as in use', change: 'nothing', scoresOf: (day) => day.score(day.inUse()) },
  seeded(2),
  seeded(3),
  {
    name: 'five seeds',
    change: 'mean of five models that differ by their seed',
    scoresOf: (day) => mean(SEEDS.map((seed) => day.score(day.train({ parameters: { seed } })))),
  },
  {
    name: 'three windows',
    change: 'mean of models of the last 250, 500 and 750 trading days',
    scoresOf: (day) => mean([250, 500, 750].map((trainDays) => day.score(day.train({ trainDays })))),
  },
  {
    name: 'stronger regularisation',
    change: 'three levels, leaves of 400, lambda 50, 90 rounds',
    scoresOf: (day) =>
      day.score(day.train({ parameters: { depth: 3, minChildWeight: 400, lambda: 50, rounds: 90 } })),
  },
  {
    name: 'whole-day bagging',
    change: 'mean of five models, each of a random half of the days',
    scoresOf: (day) => mean(SEEDS.map((seed) => day.score(day.train({ factors: halfOfTheDays(day, seed) })))),
  },
  {
    name: 'expected net return',
    change: 'three classes (lost, neither, won), ranked by chance times mean net return of each',
    scoresOf: expectedNetReturn,
  },
  {
    name: 'best fifth of the day',
    change: 'learns which names return more than four fifths of their day',
    scoresOf: (day) => day.score(day.train({ labelsOf: ({ days, outcomes }) => bestFifth(days, outcomes) })),
  },
  {
    name: 'LambdaRank',
    change: 'gradients of NDCG@20 within each day (Burges 2010)',
    scoresOf: (day) => day.boost(LAMBDA_ROUNDS, lambdas),
  },
  {
    name: 'limits and liquidity',
    change:
      'six more features: closes at the limits, Amihud illiquidity, tick share, idle days, turnover change',
    scoresOf: (day) => {
      const extraFeatures = limitAndLiquidity(day.table);
      return day.score(day.train({ extraFeatures }), extraFeatures);
    },
  },
  {
    name: 'DoubleEnsemble',
    change: 'mean of two models, the second of reweighted samples (Zhang et al. 2020)',
    scoresOf: doubleEnsemble,
  },
  {
    name: 'no picks in a bear market',
    change: 'as in use, on days whose regime is not BEAR',
    scoresOf: (day) => day.score(day.inUse()),
    isOpen: ({ regime }) => regime !== 'BEAR',
  },
  {
    name: 'picks in a bull market only',
    change: 'as in use, on days whose regime is BULL',
    scoresOf: (day) => day.score(day.inUse()),
    isOpen: ({ regime }) => regime === 'BULL',
  },
];

function mean(scores: readonly Float64Array[]): Float64Array {
  return scores[0]!.map((_, i) => scores.reduce((sum, one) => sum + one[i]!, 0) / scores.length);
}

/** 1 for selected days and 0 for the others. A hash, so that the selection of a day does not depend on the other days. */
function halfOfTheDays(day: TrialDay, seed: number): Float64Array {
  const drawn = (of: number) => (Math.imul(of * 31 + seed, 2_654_435_761) >>> 16) & 1;
  return Float64Array.from(day.set().days, drawn);
}

const STOPPED_OR_LOST = -0.02;

function expectedNetReturn(day: TrialDay): Float64Array {
  const { outcomes, weights } = day.set();
  const classOf = (i: number) =>
    outcomes.won[i] === 1 ? 2 : outcomes.netReturn[i]! < STOPPED_OR_LOST ? 0 : 1;
  const labels = Uint8Array.from(outcomes.won, (_, i) => classOf(i));
  const sums = [0, 1, 2].map(() => ({ net: 0, weight: 0 }));
  for (const [i, label] of labels.entries()) {
    sums[label]!.net += weights[i]! * outcomes.netReturn[i]!;
    sums[label]!.weight += weights[i]!;
  }
  const scores = day.score(day.train({ classes: 3, labelsOf: () => labels }));
  return day.rows.length === 0
    ? scores
    : softmaxMeans(
        scores,
        sums.map(({ net, weight }) => net / weight),
      );
}

/** Mean of the class values, weighted by the chances of the classes, one per row. */
function softmaxMeans(scores: Float64Array, values: readonly number[]): Float64Array {
  const classes = values.length;
  return Float64Array.from({ length: scores.length / classes }, (_, row) => {
    const odds = values.map((_, i) => Math.exp(scores[row * classes + i]!));
    const total = odds.reduce((sum, one) => sum + one, 0);
    return odds.reduce((sum, one, i) => sum + (one / total) * values[i]!, 0);
  });
}

function bestFifth(days: Uint16Array, { netReturn }: { netReturn: Float64Array }): Uint8Array {
  const labels = new Uint8Array(days.length);
  for (let from = 0; from < days.length;) {
    let to = from;
    while (to < days.length && days[to] === days[from]) to++;
    const bound = netReturn.slice(from, to).sort()[Math.floor(0.8 * (to - from))]!;
    for (let i = from; i < to; i++) labels[i] = netReturn[i]! >= bound ? 1 : 0;
    from = to;
  }
  return labels;
}

const BINS = 10;
/** How strongly easy and unlearnt samples lose weight; the paper's decay factor. */
const DECAY = 0.5;

function doubleEnsemble(day: TrialDay): Float64Array {
  const set = day.set();
  const first = day.inUse();
  const early = day.train({ parameters: { rounds: 5 } });
  const lossOf = (ensemble: TreeEnsemble) => logLossOf(rawScores(ensemble, set.matrix), set.outcomes.won);
  const [end, start] = [lossOf(first), lossOf(early)];
  const hard = ranksOf(end.map((loss) => -loss));
  const unlearnt = ranksOf(end.map((loss, i) => loss / Math.max(1e-9, start[i]!)));
  const h = hard.map((rank, i) => (rank + unlearnt[i]!) / (2 * hard.length));
  const inBins = ranksOf(h).map((rank) => Math.floor((rank * BINS) / h.length));
  const sums = new Float64Array(BINS);
  const counts = new Float64Array(BINS);
  inBins.forEach((bin, i) => {
    sums[bin]! += h[i]!;
    counts[bin]!++;
  });
  const factors = inBins.map((bin) => 1 / (DECAY * (sums[bin]! / counts[bin]!) + 0.1));
  return mean([day.score(first), day.score(day.train({ factors, parameters: { seed: 2 } }))]);
}

/** Ranks from 0 for the lowest value. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  order.forEach((row, rank) => (ranks[row] = rank));
  return ranks;
}

/** Log-loss of each row with label 0 or 1. */
function logLossOf(scores: Float32Array, labels: Uint8Array): Float64Array {
  return Float64Array.from(scores, (score, i) => Math.log1p(Math.exp(labels[i] === 1 ? -score : score)));
}

/** Only pairs with at least one name among this many best-scored names of their day count. */
const TOP = 20;

/**
 * LambdaRank gradients (Burges, From RankNet to LambdaRank to LambdaMART, 2010). For each pair of a winner and another name of
 * one day that did not win: how much swapping them would change NDCG, times how wrong their order is. Above 0 for names that
 * should rise. A day is weighted by the mean weight of its names, so the gradients of a day add up to 0.
 */
function lambdas({ days, outcomes, weights }: TrainingSet, scores: Float64Array): Float64Array {
  const out = new Float64Array(days.length);
  for (let from = 0; from < days.length;) {
    let [to, weight] = [from, 0];
    for (; to < days.length && days[to] === days[from]; to++) weight += weights[to]!;
    const filled = Uint32Array.from({ length: to - from }, (_, i) => from + i).filter((i) => weights[i]! > 0);
    ofDay(filled, outcomes.won, scores, weight / (to - from), out);
    from = to;
  }
  return out;
}

function ofDay(
  rows: Uint32Array,
  won: Uint8Array,
  scores: Float64Array,
  weight: number,
  out: Float64Array,
): void {
  const ranked = rows.toSorted((a, b) => scores[b]! - scores[a]! || a - b);
  const discount = Float64Array.from({ length: ranked.length }, (_, rank) => 1 / Math.log2(rank + 2));
  const winners = ranked.reduce((sum, row) => sum + won[row]!, 0);
  let ideal = 0;
  for (let i = 0; i < Math.min(winners, TOP); i++) ideal += discount[i]!;
  if (ideal === 0) return;
  for (let i = 0; i < Math.min(TOP, ranked.length); i++) {
    for (let j = i + 1; j < ranked.length; j++) {
      const [a, b] = [ranked[i]!, ranked[j]!];
      if (won[a] === won[b]) continue;
      const [winner, other] = won[a] === 1 ? [a, b] : [b, a];
      const gained = Math.abs(discount[i]! - (j < TOP ? discount[j]! : 0)) / ideal;
      const pull = (weight * gained) / (1 + Math.exp(scores[winner]! - scores[other]!));
      out[winner]! += pull;
      out[other]! -= pull;
    }
  }
}

const WINDOW = 20;

/** Features of a stock's last 20 bars that the table does not have. Each uses only bars up to its own day. */
function limitAndLiquidity({ panel, columns }: FeatureTable): ExtraFeatures {
  const { close, previous, volume, value, day, dates, offsets } = panel.columns;
  const names = [
    'upper_limits_20',
    'lower_limits_20',
    'amihud_20',
    'tick_share',
    'idle_20',
    'turnover_change',
  ];
  const read: ExtraFeatures['read'] = (rows, out) => {
    for (const [i, tableRow] of rows.entries()) {
      const row = columns.panelRow[tableRow]!;
      const first = Math.max(offsets[columns.ticker[tableRow]!]!, row - WINDOW + 1);
      let [upper, lower, illiquidity, idle, recent, all] = [0, 0, 0, 0, 0, 0];
      for (let at = first; at <= row; at++) {
        if (volume[at] === 0) {
          idle++;
          continue;
        }
        const limits = priceLimits(previous[at]!, dates[day[at]!]!, 'regular');
        if (close[at]! >= limits.upper) upper++;
        if (close[at]! <= limits.lower) lower++;
        illiquidity += Math.abs(close[at]! / previous[at]! - 1) / Math.max(1, value[at]! / 1e9);
        if (at > row - 5) recent += value[at]!;
        all += value[at]!;
      }
      const figures = [
        upper,
        lower,
        illiquidity,
        tickSize(close[row]!, dates[day[row]!]) / close[row]!,
        idle,
        (4 * recent) / (all || 1),
      ];
      for (const [feature, figure] of figures.entries()) out[feature]![i] = figure;
    }
  };
  return { names, read };
}

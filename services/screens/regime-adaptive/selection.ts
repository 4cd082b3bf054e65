import type { RegimeAdaptiveFunnel } from './result.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { exactNumber, longDate, plainNumber } from '#shared/text/indonesian.ts';
import { emptyBlock, priceFilter, probabilityFilter, valueFilter } from '../empty-block.ts';
import type { ScoredStock } from '../learnt/learnt-market.ts';
import { highestProbability, isAboveFloors, likeliestFirst, type RankedStock } from '../learnt/picks.ts';
import { params as declared, type RegimeAdaptiveParams } from './model.ts';

/** How the screen adapts to a condition of the market. */
interface RegimeRule {
  /**
   * What suits the regime: features of a stock and what each counts, below 0 for one that should be low. The absolute
   * weights add up to 1.
   */
  style: Readonly<Record<string, number>>;
  /** Whom the regime leaves out: ranks, -1 to 1, of a feature on the wrong side of a bound. */
  leavesOut?: { feature: string; below?: number; above?: number };
  /** Points that `min_probability` is raised by. */
  raisedByPct: number;
  /** Share of `max_picks` that may be picked. */
  pickShare: number;
}

export const REGIME_RULES: Readonly<Record<Regime, RegimeRule>> = {
  /** Leaders that break out on volume; none of the quarter that lies furthest below its high. */
  BULL: {
    style: { roc_20: 0.4, max_60: 0.4, volume_20: 0.2 },
    leavesOut: { feature: 'max_60', below: -0.5 },
    raisedByPct: 0,
    pickShare: 1,
  },
  /** Names at the lower edge of their band that foreigners do not leave; none of the quarter that lies highest in it. */
  SIDEWAYS: {
    style: { bollinger_place: -0.4, rsi_14: -0.3, foreign_net_5: 0.3 },
    leavesOut: { feature: 'bollinger_place', above: 0.5 },
    raisedByPct: 0,
    pickShare: 1,
  },
  /** Calm names that hold up better than the market and are being accumulated. */
  BEAR: { style: { volatility_60: -0.4, roc_20: 0.3, foreign_net_20: 0.3 }, raisedByPct: 5, pickShare: 0.5 },
};

/** The regime that a run uses on a day: the one that was read, unless the caller names one. */
export function regimeUsed(asked: RegimeAdaptiveParams['regime'], read: Regime): Regime {
  return asked === 'auto' ? read : (asked.toUpperCase() as Regime);
}

/** What the run's parameters come to in a regime. */
export function effective(
  params: Pick<RegimeAdaptiveParams, 'min_probability' | 'max_picks'>,
  regime: Regime,
) {
  const { raisedByPct, pickShare } = REGIME_RULES[regime];
  return {
    minProbability: Math.min(100, params.min_probability + raisedByPct),
    maxPicks: Math.ceil(params.max_picks * pickShare),
  };
}

/** How the universe was narrowed: each list is part of the one before. */
interface Selection {
  scanned: readonly ScoredStock[];
  liquid: ScoredStock[];
  afterRegime: ScoredStock[];
  afterProbability: ScoredStock[];
  /** Best first, at most as many as the regime allows. */
  picks: RankedStock[];
}

/**
 * Of the score; the rest is the probability. `make trials` on 78 real days of 2021 to 2023: the ten best won 1.17 times as
 * often as blind picks without style, 1.19 times with this share, 1.15 times with half as much again.
 */
export const STYLE_SHARE = 0.2;

export function select(
  stocks: readonly ScoredStock[],
  table: FeatureTable,
  regime: Regime,
  params: RegimeAdaptiveParams,
): Selection {
  const { minProbability, maxPicks } = effective(params, regime);
  const liquid = stocks.filter((stock) => isAboveFloors(stock, params));
  const afterRegime = suitable(table, liquid, regime);
  const afterProbability = afterRegime.filter(({ probability }) => probability >= minProbability);
  const style = styleScores(table, afterProbability, regime);
  const ranked = afterProbability.map((stock, i) => ({
    stock,
    score: (1 - STYLE_SHARE) * stock.probability + STYLE_SHARE * 50 * (1 + style[i]!),
  }));
  const picks = ranked
    .toSorted((a, b) => b.score - a.score || likeliestFirst(a.stock, b.stock))
    .slice(0, maxPicks);
  return { scanned: stocks, liquid, afterRegime, afterProbability, picks };
}

function suitable(table: FeatureTable, stocks: ScoredStock[], regime: Regime): ScoredStock[] {
  const { leavesOut } = REGIME_RULES[regime];
  if (!leavesOut) return stocks;
  const { feature, below = -Infinity, above = Infinity } = leavesOut;
  const ranks = ranksOf(table, stocks, feature);
  return stocks.filter((_, i) => ranks[i]! >= below && ranks[i]! <= above);
}

/** How well each stock suits the regime, -1 to 1: the mean of its ranks in the features that count there. */
function styleScores(table: FeatureTable, stocks: readonly ScoredStock[], regime: Regime): Float64Array {
  const scores = new Float64Array(stocks.length);
  for (const [feature, weight] of Object.entries(REGIME_RULES[regime].style)) {
    const ranks = ranksOf(table, stocks, feature);
    for (let i = 0; i < scores.length; i++) scores[i]! += weight * ranks[i]!;
  }
  return scores;
}

function ranksOf(table: FeatureTable, stocks: readonly ScoredStock[], feature: string): Float32Array {
  const ranks = new Float32Array(stocks.length);
  const rows = Uint32Array.from(stocks, ({ row }) => row);
  table.read(table.feature(feature), rows, ranks);
  return ranks;
}

const IN_WORDS: Record<Regime, string> = { BULL: 'naik', SIDEWAYS: 'mendatar', BEAR: 'turun' };

interface EmptyScreen {
  select: (params: RegimeAdaptiveParams) => Selection;
  params: RegimeAdaptiveParams;
  regime: Regime;
  isoDate: string;
}

export function funnelOf({
  scanned,
  liquid,
  afterRegime,
  afterProbability,
  picks,
}: Selection): RegimeAdaptiveFunnel {
  return {
    total_scanned: scanned.length,
    total_liquid: liquid.length,
    after_regime: afterRegime.length,
    after_probability: afterProbability.length,
    final: picks.length,
  };
}

/** What the caller of model A is told when nothing passed. */
export function regimeAdaptiveEmptyBlock({ select, params, regime, isoDate }: EmptyScreen) {
  const selection = select(params);
  const { liquid, afterRegime, afterProbability } = selection;
  const { minProbability } = effective(params, regime);
  return emptyBlock({
    message:
      `Tidak ada saham yang memenuhi semua kriteria pada ${longDate(isoDate)}. ` +
      `Dari ${plainNumber(liquid.length)} saham likuid, ${plainNumber(afterRegime.length)} sesuai dengan pasar yang ` +
      `${IN_WORDS[regime]} dan ${plainNumber(afterProbability.length)} mencapai probabilitas ` +
      `${exactNumber(minProbability)} yang berlaku di sana.`,
    funnel: funnelOf(selection),
    params,
    filters: [
      probabilityFilter({
        highestPct: highestProbability(afterRegime),
        thresholdPct: (tried) => effective({ ...params, ...tried }, regime).minProbability,
      }),
      valueFilter,
      priceFilter(declared.min_price),
    ],
    passing: (tried) => select(tried).afterProbability.length,
  });
}

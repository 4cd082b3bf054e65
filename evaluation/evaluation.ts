import type { Regime } from '#quant/regime/regime.ts';
import type { ChanceFigures } from './statistics/chance-figures.ts';
import type { PickFigures } from '#quant/statistics/pick-figures.ts';
import type { RankIc } from './statistics/rank-ic.ts';
import type { SkillFigures } from './statistics/skill-figures.ts';

/**
 * `evaluation.json`: everything that was measured, and what anybody needs who wants to measure it again. Shares, chances
 * and returns are fractions; a figure that is not defined is null.
 */
export interface Evaluation {
  /** Raised when a reader of the shape before would misread this one. */
  format: 2;
  /** What no figure may be quoted without: that the market is made up, that the broker rows are. Empty for neither. */
  labels: string[];
  /** How to repeat it. */
  command: string;
  evaluated_at: string;
  duration_seconds: number;
  machine: string;
  dataset: {
    version: string;
    kind: string;
    source: string;
    broker_data: string;
    first_date: string;
    last_date: string;
    trading_days: number;
    tickers: number;
    bars: number;
  };
  span: {
    /** As asked for, YYYY-MM-DD. */
    from: string;
    to: string;
    /** The last trading day of each week of it. */
    weeks: number;
  };
  bootstrap: { resamples: number; seed: number; level_pct: number };
  models: ModelEvaluation[];
}

export type ModelEvaluation = PickEvaluation | RecoveryEvaluation | NotEvaluated;

/** A model that was not run, and why. */
interface NotEvaluated extends ModelName {
  kind: 'not_evaluated';
  reason: string;
}

interface ModelName {
  model_id: string;
  name: string;
}

export interface RunFacts {
  /** Weeks whose outcome the data holds. */
  weeks: number;
  /** Runs that ended without a result, with the message their caller would have read. */
  failed: { date: string; message: string }[];
  median_ms: number | null;
  longest_ms: number | null;
}

/** Figures of the weeks of a year or of a regime. */
export interface Part<Figures> {
  name: string;
  figures: Figures;
}

/** A model that picks stocks. */
export interface PickEvaluation extends ModelName {
  kind: 'picks';
  /** All of the runs, but for the day. */
  params: Record<string, unknown>;
  /** What counts as a win: `target_gain` before `stop_loss` within `horizon_days`, as fractions of the close of the day. */
  judged_by: { target_gain: number; stop_loss: number; horizon_days: number };
  runs: RunFacts;
  block_weeks: number;
  figures: PickFigures;
  /** The same picks bought at the close that was analysed, which is over when results come out: for comparison only. */
  figures_at_close: PickFigures;
  by_year: Part<PickFigures>[];
  by_regime: Part<PickFigures>[];
  /** Mean of what the runs with picks said of themselves beforehand; null of a model that says nothing. */
  promised: { win_rate: number; payoff: number } | null;
  /** How well chances rank the names of one day by what they return; null of a model without chances. */
  rank_ic: RankIc | null;
  /** Of every name the model scored, whatever the floors of the run; null of a model without chances. */
  chances: ChanceFigures | null;
  /** Of those that passed the floors of the run. */
  chances_above_floors: ChanceFigures | null;
  weeks: PickedWeek[];
}

/** A run with its picks, best first, and what came. */
export interface PickedWeek {
  /** Day analysed, YYYY-MM-DD. */
  date: string;
  regime: Regime;
  /** Of all names that passed the run's floors. */
  universe: { names: number; win_rate: number; net_return: number };
  picks: { ticker: string; won: boolean; net_return: number }[];
  /** Codes of picks that could not be bought. */
  unfilled: string[];
}

/** A model that says over classes what held stocks may do. */
export interface RecoveryEvaluation extends ModelName {
  kind: 'recovery';
  classes: readonly string[];
  horizons: HorizonEvaluation[];
}

export interface HorizonEvaluation {
  horizon_days: number;
  runs: RunFacts;
  block_weeks: number;
  figures: SkillFigures;
  by_year: Part<SkillFigures>[];
  by_regime: Part<SkillFigures>[];
  /** Of the chance that the price rises out of the middle class. */
  up: ChanceFigures;
}

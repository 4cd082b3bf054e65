import type { Regime } from '#quant/regime/regime.ts';
import type { ChanceFigures } from './statistics/chance-figures.ts';
import type { PickFigures } from '#quant/statistics/pick-figures.ts';
import type { RankIc } from './statistics/rank-ic.ts';
import type { SkillFigures } from './statistics/skill-figures.ts';

/**
 * The contents of `evaluation.json`: all figures, and the data needed to measure them again. Shares, chances and returns are
 * fractions. An undefined figure is null.
 */
export interface Evaluation {
  /** Increase this when a reader of the previous format would misread the new one. */
  format: 2;
  /**
   * Warnings that must accompany every figure: that the market is invented, or that its broker rows are. Empty if neither is.
   */
  labels: string[];
  /** The command that repeats the evaluation. */
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
    /** The requested span, YYYY-MM-DD. */
    from: string;
    to: string;
    /** Number of weeks; each is represented by its last trading day. */
    weeks: number;
  };
  bootstrap: { resamples: number; seed: number; level_pct: number };
  models: ModelEvaluation[];
}

export type ModelEvaluation = PickEvaluation | RecoveryEvaluation | NotEvaluated;

/** A model that was not run, and the reason. */
interface NotEvaluated extends ModelName {
  kind: 'not_evaluated';
  reason: string;
}

interface ModelName {
  model_id: string;
  name: string;
}

export interface RunFacts {
  /** Weeks whose outcome is in the data. */
  weeks: number;
  /** Runs that ended without a result, with the message for the caller. */
  failed: { date: string; message: string }[];
  median_ms: number | null;
  longest_ms: number | null;
}

/** Figures for the weeks of a year or of a regime. */
export interface Part<Figures> {
  name: string;
  figures: Figures;
}

/** A model that picks stocks. */
export interface PickEvaluation extends ModelName {
  kind: 'picks';
  /** The parameters of all runs, except the day. */
  params: Record<string, unknown>;
  /** What counts as a win: `target_gain` before `stop_loss` within `horizon_days`, as fractions of the close of the day. */
  judged_by: { target_gain: number; stop_loss: number; horizon_days: number };
  runs: RunFacts;
  block_weeks: number;
  figures: PickFigures;
  /** Figures of the same picks bought at the analysed close, for comparison only: that close is over when results come out. */
  figures_at_close: PickFigures;
  by_year: Part<PickFigures>[];
  by_regime: Part<PickFigures>[];
  /** By the exchange's lower limit on the analysed day. */
  by_lower_limit: Part<PickFigures>[];
  /** Mean of what the runs with picks claimed beforehand; null if the model claims nothing. */
  promised: { win_rate: number; payoff: number } | null;
  /** How well chances rank the names of one day by their returns; null if the model gives no chances. */
  rank_ic: RankIc | null;
  /** For every name the model scored, whatever the floors of the run; null if the model gives no chances. */
  chances: ChanceFigures | null;
  /** For names that passed the floors of the run. */
  chances_above_floors: ChanceFigures | null;
  weeks: PickedWeek[];
}

/** A run with its picks, best first, and their outcomes. */
export interface PickedWeek {
  /** Day analysed, YYYY-MM-DD. */
  date: string;
  regime: Regime;
  /** All names that passed the run's floors. */
  universe: { names: number; win_rate: number; net_return: number };
  /** A pick that nobody could sell has no return. */
  picks: { ticker: string; won: boolean; net_return: number | null }[];
  /** Codes of picks that could not be bought. */
  unfilled: string[];
}

/** A model that forecasts classes of return for held stocks. */
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
  /** Figures for the chance that the price rises above the middle class. */
  up: ChanceFigures;
}

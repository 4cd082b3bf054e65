import { RETURN_BUCKETS, type Trajectory, bucketCutsPct, bucketOf } from '#quant/recovery/trajectory.ts';
import type { HorizonEvaluation } from './evaluation.ts';
import type { RecoveryModel } from './models-under-evaluation.ts';
import { byRegime, byYear, type Moment } from './parts.ts';
import type { PastRuns } from './past-runs.ts';
import { blockWeeks, BOOTSTRAP, blockResamples } from '#quant/statistics/block-bootstrap.ts';
import { RunLog } from './progress.ts';
import { chanceFigures, type Forecast } from './statistics/chance-figures.ts';
import { skillFigures, type ClassWeek } from './statistics/skill-figures.ts';
import { isReference, type FeatureTable } from '#quant/features/feature-table.ts';
import { ForwardPaths } from '#quant/recovery/forward-path.ts';

type Week = ClassWeek & Moment;

interface Position {
  ticker: string;
  trajectory: Trajectory;
}

/** The classes above the middle one. */
const UP = RETURN_BUCKETS.map((bucket) => bucket === 'CLIMB' || bucket === 'RALLY');
/** Chances are rounded to a tenth of a percent, so a chance shown as 0 was at most half of that. */
const MIN_FORECASTS = 0.0005;

/**
 * Runs the recovery model at one horizon, week after week, for a holder of every liquid name, and judges the chances in its
 * compact result.
 */
export class RecoveryStudy {
  readonly horizonDays: number;
  /** Trading days after which the outcome of a forecast is known. */
  readonly knownAfterDays: number;
  /** For the progress display. */
  readonly title: string;
  readonly #modelId: string;
  readonly #runs: PastRuns;
  readonly #frequencies: ClassFrequencies;
  readonly #log = new RunLog();
  readonly #weeks: Week[] = [];

  constructor(runs: PastRuns, { definition }: RecoveryModel, horizonDays: number) {
    this.#runs = runs;
    this.#modelId = definition.id;
    this.title = `${definition.id} ${horizonDays} days`;
    this.horizonDays = horizonDays;
    this.knownAfterDays = horizonDays;
    this.#frequencies = new ClassFrequencies(runs.market.features(), horizonDays);
  }

  /** Runs the model as of a day (calendar index) and returns the outcome in a word for the progress display. */
  async runAsOf(day: number): Promise<string> {
    const { panel, regime } = this.#runs.market;
    const date = panel.columns.dates[day]!;
    const names = this.#frequencies.namesOf(day);
    const positions = names.map(({ code }) => ({ ticker: code, pnl_input: 0 }));
    const run = this.#log.note(
      date,
      await this.#runs.run({
        model_id: this.#modelId,
        analysis_date: date,
        view: 'compact' as const,
        params: { analysis_date: date, horizon: this.horizonDays, positions },
      }),
    );
    if (!run) return 'failed';
    const byTicker = new Map(
      (run.result['positions'] as Position[]).map((one) => [one.ticker, one.trajectory]),
    );
    const judged = names.filter(({ code }) => byTicker.has(code));
    this.#weeks.push({
      date,
      regime: regime().regime[day]!,
      forecasts: judged.map(({ code }) => chancesOf(byTicker.get(code)!)),
      came: judged.map(({ came }) => came),
      climatology: this.#frequencies.knownOn(day),
    });
    return String(judged.length);
  }

  evaluation(): HorizonEvaluation {
    const block_weeks = blockWeeks(this.horizonDays);
    const resamples = blockResamples(this.#weeks.length, { ...BOOTSTRAP, blockLength: block_weeks });
    const figuresOf = (belongs: (week: Week) => boolean) => skillFigures(this.#weeks, resamples, belongs);
    return {
      horizon_days: this.horizonDays,
      runs: this.#log.facts,
      block_weeks,
      figures: figuresOf(() => true),
      by_year: byYear(this.#weeks, figuresOf),
      by_regime: byRegime(this.#weeks, figuresOf),
      up: chanceFigures(this.#weeks.map(upForecasts)),
    };
  }
}

/** Chances as fractions that add up to 1. */
function chancesOf(trajectory: Trajectory): number[] {
  const chances = RETURN_BUCKETS.map((bucket) => Math.max(MIN_FORECASTS, trajectory[bucket] / 100));
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  return chances.map((chance) => chance / total);
}

function upForecasts({ forecasts, came }: ClassWeek): Forecast[] {
  return forecasts.map((chances, i) => ({
    chance: Math.min(
      1,
      chances.reduce((sum, chance, k) => (UP[k] ? sum + chance : sum), 0),
    ),
    won: UP[came[i]!]!,
  }));
}

/** As many trading days as the model learns from. */
const CLIMATOLOGY_DAYS = 750;

/** A name that may be held on a day, and the class of its return. */
interface HeldName {
  code: string;
  came: number;
}

/** The classes of return of liquid names, and their frequencies before a day. */
export class ClassFrequencies {
  readonly #table: FeatureTable;
  readonly #horizonDays: number;
  readonly #paths: ForwardPaths;
  readonly #cutsPct: number[];
  readonly #countsOfDay = new Map<number, Float64Array>();

  constructor(table: FeatureTable, horizonDays: number) {
    this.#table = table;
    this.#horizonDays = horizonDays;
    this.#paths = new ForwardPaths(table.panel, horizonDays);
    this.#cutsPct = bucketCutsPct(horizonDays);
  }

  /** The liquid names of a day. The horizon must have ended in the data. */
  namesOf(day: number): HeldName[] {
    const { columns, panel } = this.#table;
    const { from, to } = this.#table.rowsOf(day);
    const names: HeldName[] = [];
    for (let row = from; row < to; row++) {
      const [ticker, panelRow] = [columns.ticker[row]!, columns.panelRow[row]!];
      if (!isReference(panel.columns.close[panelRow]!, columns.averageValue[row]!)) continue;
      const returnPct = 100 * this.#paths.returnOf(ticker, panelRow);
      names.push({ code: panel.columns.tickers[ticker]!, came: bucketOf(returnPct, this.#cutsPct) });
    }
    return names;
  }

  /** Share of each class among the liquid names of the days whose horizon had ended by `day`. */
  knownOn(day: number): number[] {
    const lastKnown = day - this.#horizonDays;
    // Laplace's rule of succession: a class that has not occurred yet is still possible.
    const counts = new Float64Array(RETURN_BUCKETS.length).fill(1);
    for (let past = Math.max(0, lastKnown + 1 - CLIMATOLOGY_DAYS); past <= lastKnown; past++) {
      for (const [k, count] of this.#countsOf(past).entries()) counts[k]! += count;
    }
    const total = counts.reduce((sum, count) => sum + count, 0);
    return Array.from(counts, (count) => count / total);
  }

  #countsOf(day: number): Float64Array {
    const held = this.#countsOfDay.get(day);
    if (held) return held;
    const counts = new Float64Array(RETURN_BUCKETS.length);
    for (const { came } of this.namesOf(day)) counts[came]!++;
    this.#countsOfDay.set(day, counts);
    return counts;
  }
}

import { toDecimals } from '#foundation/rounded.ts';
import type {
  RecordEstimate,
  RecordFigures,
  RecordPart,
  RecordRegime,
} from '#proto/saring/models/v1/record.ts';
import {
  blockResamples,
  type Estimate,
  type Resamples,
  blockDays,
  BOOTSTRAP,
} from '#quant/statistics/block-bootstrap.ts';
import { pickFigures, type PickWeek } from '#quant/statistics/pick-figures.ts';
import { type Evidence, netReturnVerdictOf, verdictOf } from '#models/results/evidence.ts';
import type { RecordedRun } from '../store/record-store.ts';
import type { PickResolution, RunBody } from '../store/record-chain.ts';

/** A pick that counts, with the first run on record that made it. */
interface CountedPick {
  run: RecordedRun;
  as_of: string;
  /** The result, once every position of its run must have been sold and the result is known; undefined while open. */
  resolution: PickResolution | undefined;
}

/** Aggregates runs, which may be in any order. */
export function recordPart(runs: readonly RecordedRun[]): RecordPart {
  const counted = runs.filter(({ body }) => body.counts);
  const record = new CountedRecord(counted);
  const months = distinct(counted.map(({ body }) => monthOf(body)));
  const regimes = REGIMES.filter((regime) => counted.some(({ body }) => body.regime === regime));
  return {
    figures: record.figures(() => true),
    history: runs.reduce((sum, { body }) => sum + (body.counts ? 0 : body.picks.length), 0),
    by_month: months.map((month) => ({
      month,
      figures: record.figures((body) => monthOf(body) === month),
    })),
    by_regime: regimes.map((regime) => ({
      regime,
      figures: record.figures((body) => body.regime === regime),
    })),
  };
}

/**
 * The rule by which the record takes the place of the walk-forward figure: so many picks whose positions are over, on enough days
 * for an interval. Fewer say less than the walk-forward figure does.
 */
const ENOUGH_PICKS = 200;

/** What the picks of these runs were worth; undefined while they are too few. The runs are of one model, on real markets. */
export function forwardEvidence(runs: readonly RecordedRun[]): Evidence | undefined {
  return new CountedRecord(runs.filter(({ body }) => body.counts)).evidence();
}

const REGIMES: readonly RecordRegime['regime'][] = ['BULL', 'SIDEWAYS', 'BEAR'];

function monthOf({ as_of }: RunBody): string {
  return as_of.slice(0, 'YYYY-MM'.length);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

/** Runs whose picks count, prepared for counting by several criteria. */
class CountedRecord {
  readonly #runs: readonly RecordedRun[];
  readonly #picks: CountedPick[];
  /** Days with picks that must have been sold and whose result is known, ascending. These days are resampled. */
  readonly #days: string[];
  readonly #resamples: Resamples;

  constructor(runs: readonly RecordedRun[]) {
    this.#runs = runs;
    this.#picks = distinctPicks(runs);
    const ended = this.#picks.filter(({ resolution }) => resolution !== undefined);
    this.#days = distinct(ended.map(({ as_of }) => as_of));
    // Use the longest horizon: blocks that are too short make intervals too narrow.
    const blockLength = blockDays(runs.reduce((most, { body }) => Math.max(most, body.horizon_days), 1));
    this.#resamples = blockResamples(this.#days.length, { ...BOOTSTRAP, blockLength });
  }

  evidence(): Evidence | undefined {
    const { picks, excess_net_return, net_return } = pickFigures(this.#daysOf(this.#picks), this.#resamples);
    const [excess, itself] = [inPercent(excess_net_return), inPercent(net_return)];
    if (picks < ENOUGH_PICKS || !excess || !itself) return undefined;
    const statistic = 'excess_net_return_pct';
    return {
      source: 'forward_record',
      market: 'real',
      statistic,
      ...excess,
      from: this.#days[0]!,
      to: this.#days.at(-1)!,
      verdict: verdictOf({ statistic, ...excess }),
      exits: 'waits_for_bids',
      net_return_pct: itself.value,
      net_return_verdict: netReturnVerdictOf(itself),
    };
  }

  #daysOf(picks: readonly CountedPick[]): PickWeek[] {
    const ended = Map.groupBy(
      picks.filter(({ resolution }) => resolution !== undefined),
      ({ as_of }) => as_of,
    );
    return this.#days.map((day) => dayOf(ended.get(day) ?? []));
  }

  figures(belongs: (body: RunBody) => boolean): RecordFigures {
    const picks = this.#picks.filter(({ run }) => belongs(run.body));
    const days = this.#daysOf(picks);
    const figures = pickFigures(days, this.#resamples, (day) => day.picks.length + day.unfilled > 0);
    const { unfilled, unsold, win_rate, base_rate, lift, net_return } = figures;
    const filled = figures.picks;
    return {
      runs: this.#runs.filter(({ body }) => belongs(body)).length,
      n: picks.length,
      open: picks.length - filled - unfilled,
      unfilled,
      filled,
      wins: days.reduce((sum, day) => sum + day.picks.filter(({ won }) => won).length, 0),
      win_rate_pct: percent(win_rate),
      base_rate_pct: percent(base_rate),
      lift: estimateOf(lift, (value) => rounded(value, 3)),
      unsold,
      net_return_pct: estimateOf(net_return, percent),
    };
  }
}

/**
 * The same stock on the same day with the same levels counts once, so that repeating a run adds nothing to the record.
 */
function distinctPicks(runs: readonly RecordedRun[]): CountedPick[] {
  const picks = new Map<string, CountedPick>();
  for (const run of runs.toSorted((a, b) => a.seq - b.seq)) {
    const { as_of, target_gain, stop_loss, horizon_days } = run.body;
    for (const [at, { ticker }] of run.body.picks.entries()) {
      const key = [as_of, ticker, target_gain, stop_loss, horizon_days].join();
      if (!picks.has(key)) picks.set(key, { run, as_of, resolution: resolutionOf(run, at) });
    }
  }
  return [...picks.values()];
}

/** A pick without data stays open, even after its horizon. */
function resolutionOf({ outcome }: RecordedRun, at: number): PickResolution | undefined {
  if (!outcome?.names) return undefined;
  const resolution = outcome.picks[at];
  return resolution?.state === 'open' || resolution?.state === 'bought' ? undefined : resolution;
}

/** Sums up a day: its picks, and the mean result of choosing blindly among the names of each pick's run. */
function dayOf(picks: readonly CountedPick[]): PickWeek {
  const bought = picks.filter(({ resolution }) => resolution!.state !== 'unfilled');
  const meanOf = (of: (names: { win_rate: number; net_return: number }) => number) =>
    bought.length === 0
      ? 0
      : bought.reduce((sum, { run }) => sum + of(run.outcome!.names!), 0) / bought.length;
  return {
    picks: bought.map(({ resolution }) => ({
      code: resolution!.ticker,
      won: resolution!.state === 'won',
      netReturn: resolution!.net_return ?? NaN,
    })),
    unfilled: picks.length - bought.length,
    universe: {
      names: 0,
      winRate: meanOf(({ win_rate }) => win_rate),
      meanNetReturn: meanOf(({ net_return }) => net_return),
    },
  };
}

/** Undefined without an interval. */
function inPercent({ value, low, high }: Estimate): Record<'value' | 'low' | 'high', number> | undefined {
  if (value === null || low === null || high === null) return undefined;
  return { value: percent(value)!, low: percent(low)!, high: percent(high)! };
}

function estimateOf(
  { value, low, high }: Estimate,
  shown: (value: number | null) => number | undefined,
): RecordEstimate {
  return { value: shown(value), low: shown(low), high: shown(high) };
}

function percent(fraction: number | null): number | undefined {
  return fraction === null ? undefined : rounded(100 * fraction, 2);
}

function rounded(value: number | null, decimals: number): number | undefined {
  return value === null ? undefined : toDecimals(value, decimals);
}

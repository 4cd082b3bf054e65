import { createHash } from 'node:crypto';
import { trialFigures } from '#fields/past/trials.ts';
import type { Rules } from '#fields/rules/rules.ts';
import type { JudgeScreenResponse } from '#proto/saring/market_data/v1/fields.ts';
import type { ListPastPicksResponse } from '#proto/saring/models/v1/backfills.ts';
import type { ScreenTrials } from '#proto/saring/screens/v1/screens.ts';
import type { Clock } from '#foundation/clock.ts';
import { rounded } from '#foundation/rounded.ts';
import { canonicalJson } from '#foundation/text/canonical-json.ts';
import type { Localised } from '#foundation/text/localised.ts';
import type { Caller } from '../store/owned-rows.ts';
import type { RulesScreen } from '../saved/model-screens.ts';
import type { ModelParams } from '../store/tables.ts';
import type { TrialRow, TrialStore } from '../store/trial-store.ts';
import { verdictOf } from '#quant/performance/verdict.ts';

/** Trials that one judgement takes into account. Whoever has tried more has been told long before that nothing is shown. */
const MOST_TRIALS = 2_000;

/** The probability of overfitting is computed from this many of them, the newest, in some 40 ms. */
const MOST_COMPARED = 30;

/** Rules, or a model with its parameters, and the stocks among which they pick. */
export interface Tried extends Pick<RulesScreen, 'universe'> {
  rules: Rules | ModelParams;
}

/** What is tried with the past picks of a model. Its parameters name its stocks, if it is limited to some. */
export function triedModel(model_id: string, { params = {}, step }: ListPastPicksResponse): Tried {
  return { rules: { model_id, params, step }, universe: null };
}

interface JudgedTrials {
  trials: ScreenTrials;
  verdict: string;
  because: Localised;
}

/**
 * Keeps what each end user has tried on past days, deleted screens included, and judges a result in the light of it. Trials are the
 * same if their rules, stocks and levels are.
 */
export class Trials {
  readonly #store: TrialStore;
  readonly #clock: Clock;

  constructor(store: TrialStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Records what a screen came to as a trial of the caller, and judges it.
   * @param money how a simulation divides its money: another way to do so is another trial
   */
  async judge(
    { rules, universe }: Tried,
    past: JudgeScreenResponse,
    caller: Caller,
    money?: object,
  ): Promise<JudgedTrials> {
    const { target_gain, stop_loss, horizon_days: period_days, excess_by_period: excess } = past;
    const { api_key_id, end_user } = caller;
    const of = { first_day: past.from, last_day: past.to, market: past.market };
    const variant = hashOf({ rules, universe, target_gain, stop_loss, period_days, ...(money && { money }) });
    const trial_id = hashOf({ api_key_id, end_user, variant, ...of });
    const trial = { trial_id, api_key_id, end_user, variant, ...of, period_days, excess };
    await this.#store.keep({
      ...trial,
      tried_at: this.#clock(),
      rules: JSON.stringify(rules),
      universe: universe && JSON.stringify(universe),
    });
    const all = await this.#store.onDays(caller, of, MOST_TRIALS);
    const others = all.filter((other) => other.variant !== variant);
    const newest = others.filter(isOn(trial)).toSorted((a, b) => b.tried_at.getTime() - a.tried_at.getTime());
    const compared = newest.slice(0, MOST_COMPARED).map(toTrial);
    const figures = trialFigures(toTrial(trial), others.map(toTrial), compared);
    const pct = (share: number | undefined) => share && rounded(100 * share, 2);
    const trials = {
      count: figures.count,
      sharpe: figures.sharpe && rounded(figures.sharpe, 2),
      expected_best_sharpe: rounded(figures.expectedBestSharpe, 2),
      probabilistic_sharpe_pct: pct(figures.probabilisticSharpe),
      deflated_sharpe_pct: pct(figures.deflatedSharpe),
      overfitting_pct: pct(figures.overfitting),
    };
    return {
      trials,
      ...verdictOf({
        excessLow: past.all!.excess_net_return_pct!.low,
        excessHigh: past.all!.excess_net_return_pct!.high,
        betterThanRandom: past.random?.better_than_random_pct,
        deflatedSharpe: trials.deflated_sharpe_pct,
        overfitting: trials.overfitting_pct,
        grossLow: past.all!.gross_return_pct!.low,
        netLow: past.all!.net_return_pct!.low,
      }),
    };
  }
}

function hashOf(value: object): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function toTrial({ period_days: periodDays, excess }: Pick<TrialRow, 'period_days' | 'excess'>) {
  return { periodDays, excess };
}

/** Whether a trial has the same periods. */
function isOn(trial: Pick<TrialRow, 'first_day' | 'last_day' | 'period_days'>) {
  return (other: TrialRow) =>
    other.first_day === trial.first_day &&
    other.last_day === trial.last_day &&
    other.period_days === trial.period_days;
}

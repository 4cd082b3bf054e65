import type { JudgeScreenResponse } from '#proto/saring/market_data/v1/fields.ts';
import type {
  PrepareSimulationRequest,
  PrepareSimulationResponse,
} from '#proto/saring/screens/v1/screens.ts';
import type { PicksOfDay, SimulatedPicks } from '#proto/saring/wire/v1/simulation.ts';
import type { Call } from '#shared/grpc/call-context.ts';
import { refuse } from '#shared/invalid-request.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { Evaluations } from './evaluations.ts';
import { requireRules } from './model-screens.ts';
import type { Screens } from './screens.ts';
import type { Tried, Trials } from './trials.ts';

interface SimulationsDependencies {
  screens: Pick<Screens, 'get'>;
  evaluations: Pick<Evaluations, 'judge' | 'judgePicks' | 'pastMembers'>;
  trials: Pick<Trials, 'judge'>;
}

/** What a simulation follows. */
interface Followed {
  /** Its name among the parameters. */
  named: Record<string, unknown>;
  days: PicksOfDay[];
  /** Last trading day. */
  to: string;
  tried: Tried;
  judge: () => Promise<JudgeScreenResponse>;
}

const INSTEAD = 'Name its model as `model_id` instead, once a backfill of it has finished.';

/** Prepares simulations: what a worker must know to follow past picks, and to judge the result. */
export class Simulations {
  readonly #deps: SimulationsDependencies;

  constructor(deps: SimulationsDependencies) {
    this.#deps = deps;
  }

  /**
   * Counts as a trial of the caller: the picks themselves are judged over the span, and somebody who tries many ways to divide the
   * money has tried as often.
   * @throws ServiceError screen_not_found, unsupported_for_model_screen, and as {@link Evaluations.judge}
   */
  async prepare(request: PrepareSimulationRequest, call: Call): Promise<PrepareSimulationResponse> {
    const { from, to, capital_idr, rebalance, max_positions, max_volume_pct } = request;
    const { target_gain, stop_loss, horizon_days } = request;
    const position_pct = request.position_pct ?? Math.floor(10_000 / max_positions) / 100;
    const money = { capital_idr, max_positions, position_pct, rebalance, max_volume_pct };
    const followed = await this.#followed(request, call);
    const barriers = { target_gain, stop_loss, horizon_days };
    return {
      params: { ...followed.named, from, to, ...money, ...barriers },
      picks: { days: followed.days, ...(await this.#triedBy(request, followed, money)) },
      trading_day: followed.to,
    };
  }

  async #followed(request: PrepareSimulationRequest, call: Call): Promise<Followed> {
    const { screen_id, model_id, past_picks } = request;
    if (screen_id === undefined && model_id === undefined)
      refuse([{ loc: ['screen_id'], msg: 'must be sent, or model_id instead', type: 'missing' }]);
    if (screen_id === undefined) return this.#ofModel(request, past_picks!, call);
    for (const name of ['model_id', 'params'] as const)
      if (request[name] !== undefined)
        refuse([{ loc: [name], msg: 'must be left out if screen_id is sent', type: 'extra_forbidden' }]);
    return this.#ofScreen(screen_id, request, call);
  }

  async #ofScreen(screenId: string, request: PrepareSimulationRequest, call: Call): Promise<Followed> {
    const { screens, evaluations } = this.#deps;
    const screen = requireRules(await screens.get(screenId, request), INSTEAD);
    const { screen_id, version: screen_version } = screen;
    return {
      named: { screen_id, screen_version },
      ...(await evaluations.pastMembers(screen, request, call)),
      tried: screen,
      judge: () => evaluations.judge(screen, request, call),
    };
  }

  #ofModel(
    request: PrepareSimulationRequest,
    { days, to, params = {} }: NonNullable<PrepareSimulationRequest['past_picks']>,
    call: Call,
  ): Followed {
    const model = { model_id: request.model_id!, params };
    return {
      named: model,
      days,
      to,
      tried: { rules: model, universe: null },
      judge: () => this.#deps.evaluations.judgePicks(days, request, call),
    };
  }

  /** What the end user has tried. While no outcome of the span is known, the simulation is no trial, and nobody can learn from it. */
  async #triedBy(
    request: PrepareSimulationRequest,
    { tried, judge }: Followed,
    money: object,
  ): Promise<Omit<SimulatedPicks, 'days'>> {
    try {
      const { trials } = await this.#deps.trials.judge(tried, await judge(), request, money);
      const { count, expected_best_sharpe, overfitting_pct } = trials;
      return { trials: count, expected_best_sharpe, overfitting_pct };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
      return { trials: 1, expected_best_sharpe: 0, overfitting_pct: undefined };
    }
  }
}

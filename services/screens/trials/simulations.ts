import type { JudgeScreenResponse } from '#proto/saring/market_data/v1/fields.ts';
import type { ListPastPicksResponse } from '#proto/saring/models/v1/backfills.ts';
import type {
  PrepareSimulationRequest,
  PrepareSimulationResponse,
  ScreenModelRun,
} from '#proto/saring/screens/v1/screens.ts';
import type { PicksOfDay, SimulatedPicks } from '#proto/saring/wire/v1/simulation.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import { invalidRequest, refuse } from '#foundation/errors/invalid-request.ts';
import { DRAWS } from '#quant/simulation/random-picks.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { DAY_MS } from '#foundation/iso-day.ts';
import { simulationMs } from '#shared/costs/estimated-cost.ts';
import { costMsOf, type Evaluations } from '../evaluation/evaluations.ts';
import { isByModel, requireRules, type ModelScreens, type RulesScreen } from '../saved/model-screens.ts';
import type { Screens } from '../saved/screens.ts';
import type { ScreenRow } from '../store/screen-store.ts';
import { triedModel, type Tried, type Trials } from './trials.ts';

interface SimulationsDependencies {
  screens: Pick<Screens, 'get'>;
  models: Pick<ModelScreens, 'pastRunOf'>;
  evaluations: Pick<Evaluations, 'judge' | 'judgePicks' | 'pastMembers'>;
  trials: Pick<Trials, 'judge'>;
}

interface Followed {
  /** Its name among the parameters, besides that of a screen. */
  named: Record<string, unknown>;
  days: PicksOfDay[];
  /** Last trading day. */
  to: string;
  tried: Tried;
  judge: () => Promise<JudgeScreenResponse>;
}

interface Asked {
  screen?: ScreenRow;
  model?: ScreenModelRun | undefined;
}

/** The answer while the past picks of a run are still to be asked for: it has nothing but that run. */
const UNPREPARED = { params: undefined, picks: undefined, trading_day: '' };

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
    const { screen, model } = await this.#asked(request, call);
    if (model && !request.past_picks) return { ...UNPREPARED, model_run: model };
    const followed = model
      ? await this.#ofModel(model, request.past_picks!, request, call)
      : await this.#ofScreen(requireRules(screen!, ''), request, call);
    const barriers = { target_gain, stop_loss, horizon_days };
    const named = screen && { screen_id: screen.screen_id, screen_version: screen.version };
    return {
      params: { ...named, ...followed.named, from, to, ...money, ...barriers },
      picks: { days: followed.days, ...(await this.#triedBy(request, followed, money)) },
      trading_day: followed.to,
    };
  }

  /** The screen and the run of a model that a request names: of a screen by model, both. */
  async #asked(request: PrepareSimulationRequest, call: Call): Promise<Asked> {
    const { screen_id, model_id, params } = request;
    if (screen_id === undefined) {
      if (model_id !== undefined) return { model: { model_id, params: params ?? {} } };
      throw invalidRequest([
        { loc: ['screen_id'], msg: 'must be sent, or model_id instead', type: 'missing' },
      ]);
    }
    for (const name of ['model_id', 'params'] as const)
      if (request[name] !== undefined)
        refuse([{ loc: [name], msg: 'must be left out if screen_id is sent', type: 'extra_forbidden' }]);
    const { screens, models } = this.#deps;
    const screen = await screens.get(screen_id, request);
    return { screen, model: isByModel(screen) ? await models.pastRunOf(screen, call) : undefined };
  }

  async #ofScreen(screen: RulesScreen, request: PrepareSimulationRequest, call: Call): Promise<Followed> {
    const { evaluations } = this.#deps;
    const members = (of: Call) => evaluations.pastMembers(screen, request, of);
    const judge = (of: Call) => evaluations.judge(screen, request, of);
    const paid = await paidFor(call, request, [members, judge]);
    return { named: {}, ...(await members(paid)), tried: screen, judge: () => judge(paid) };
  }

  async #ofModel(
    { model_id }: ScreenModelRun,
    picks: ListPastPicksResponse,
    request: PrepareSimulationRequest,
    call: Call,
  ): Promise<Followed> {
    const { days, to, params = {} } = picks;
    const judge = (of: Call) => this.#deps.evaluations.judgePicks(picks, request, of);
    const paid = await paidFor(call, request, [judge]);
    return {
      named: { model_id, params },
      days,
      to,
      tried: triedModel(model_id, picks),
      judge: () => judge(paid),
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

/**
 * Charges a whole simulation before any of it is done, so that none is refused halfway.
 * @returns the call with which it is done
 * @throws ServiceError as the evaluations, and as {@link CallCost.charge}
 */
async function paidFor(
  call: Call,
  { from, to, max_positions: positions }: PrepareSimulationRequest,
  evaluations: ((of: Call) => Promise<unknown>)[],
): Promise<Call> {
  if (!call.cost) return call;
  const calendarDays = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const days = Math.max(1, (calendarDays * 5) / 7);
  call.cost.charge((await costMsOf(call, evaluations)) + simulationMs({ days, positions, draws: DRAWS }));
  return { ...call, cost: undefined };
}

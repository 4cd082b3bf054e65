import type {
  ExplainStockResponse,
  FieldServiceService,
  ListFieldValuesResponse,
  JudgeScreenRequest,
  JudgeScreenResponse,
  ListPastMembersResponse,
  ScreenStocksResponse,
} from '#proto/saring/market_data/v1/fields.ts';
import type {
  GetScreenPastRequest,
  ListFieldValuesRequest,
  PrepareSimulationRequest,
  ScreenUniverse,
} from '#proto/saring/screens/v1/screens.ts';
import type { ListPastPicksResponse } from '#proto/saring/models/v1/backfills.ts';
import { stepOf } from '#shared/market/last-of-each.ts';
import type { Clock } from '#foundation/clock.ts';
import type { IdSource } from '#foundation/ids.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { ScreenRuns } from './screen-runs.ts';
import { CallCost } from '#platform/grpc/call-cost.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import type { CallOptions, ServiceClient } from '#platform/grpc/client.ts';
import type { Caller } from '../store/owned-rows.ts';
import type { RulesScreen } from '../saved/model-screens.ts';
import type { RequestedRules } from '../saved/requested-rules.ts';
import type { Universes } from '../saved/universe.ts';

/** The part of a caller's deadline that is kept for sending the response. */
const RESPONSE_MS = 300;
/** How long an evaluation may take for a caller without a deadline. */
const LONGEST_MS = 30_000;

interface EvaluationsDependencies {
  fields: ServiceClient<FieldServiceService>;
  universes: Universes;
  rules: RequestedRules;
  runs: Pick<ScreenRuns, 'record'>;
  newId: IdSource;
  clock: Clock;
}

/** The day of an evaluation, and fields to return besides those that the rules name. */
interface Requested {
  as_of?: string | undefined;
  columns: string[];
}

/** What is run, and for whom. Of a preview there is no screen. */
interface RanScreen extends Caller {
  kind: 'screen' | 'preview';
  screen_id: string;
  version: number;
}

/** A span, and how positions end. */
type PastRequest = Pick<GetScreenPastRequest, 'from' | 'to' | 'target_gain' | 'stop_loss' | 'horizon_days'>;

/** The days on which a simulation gives orders, and for how many stocks. */
type SimulatedSpan = Pick<PrepareSimulationRequest, 'from' | 'to' | 'rebalance' | 'max_positions'>;

/** Has screens evaluated by market-data, which charges the key for it. All fail with rate_limited if too little was paid. */
export class Evaluations {
  readonly #deps: EvaluationsDependencies;

  constructor(deps: EvaluationsDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError watchlist_not_found, not_found, invalid_request or data_unavailable */
  async run(
    screen: RulesScreen,
    { as_of, columns }: Requested,
    caller: Caller,
    call: Call,
  ): Promise<ScreenStocksResponse> {
    const { fields, universes } = this.#deps;
    const universe = await universes.stocks(screen.universe, screen);
    const request = { rules: screen.rules, universe, as_of, columns };
    const { screen_id, version } = screen;
    const { api_key_id, end_user } = caller;
    return this.#recorded({ kind: 'screen', screen_id, version, api_key_id, end_user }, call, () =>
      fields.screenStocks(request, optionsOf(screen, call)),
    );
  }

  /**
   * Runs rules that are not saved.
   * @throws ServiceError invalid_request, not_found or data_unavailable
   */
  async preview(
    sent: { rules: unknown; universe?: ScreenUniverse | undefined },
    { as_of, columns }: Requested,
    caller: Caller,
    call: Call,
  ): Promise<ScreenStocksResponse> {
    const { fields, universes } = this.#deps;
    const rules = await this.#deps.rules.of(sent.rules, call);
    const universe = await universes.stocks(await universes.checked(sent.universe, caller), caller);
    const request = { rules, universe, as_of, columns };
    const { api_key_id, end_user } = caller;
    return this.#recorded({ kind: 'preview', screen_id: '', version: 0, api_key_id, end_user }, call, () =>
      fields.screenStocks(request, optionsOf(caller, call)),
    );
  }

  /**
   * What fields say of every stock on a day.
   * @throws ServiceError invalid_request, not_found or data_unavailable
   */
  values(
    { api_key_id, as_of, fields: names }: ListFieldValuesRequest,
    call: Call,
  ): Promise<ListFieldValuesResponse> {
    return this.#deps.fields.listFieldValues({ as_of, fields: names }, optionsOf({ api_key_id }, call));
  }

  /** @throws ServiceError watchlist_not_found, not_found for an unknown ticker, invalid_request or data_unavailable */
  async explain(
    screen: RulesScreen,
    { ticker, as_of }: { ticker: string; as_of?: string | undefined },
    call: Call,
  ): Promise<ExplainStockResponse> {
    const { fields, universes } = this.#deps;
    const universe = await universes.stocks(screen.universe, screen);
    const request = { rules: screen.rules, universe, ticker, as_of };
    return fields.explainStock(request, optionsOf(screen, call));
  }

  /** @throws ServiceError watchlist_not_found, invalid_request, not_found if no outcome is known yet, or data_unavailable */
  async judge(screen: RulesScreen, requested: PastRequest, call: Call): Promise<JudgeScreenResponse> {
    const universe = await this.#deps.universes.stocks(screen.universe, screen);
    return this.#judge({ rules: screen.rules, universe, picks: [] }, screen, requested, call);
  }

  /**
   * The same for picks of a model, on whose days alone it is judged.
   * @throws ServiceError as {@link judge}
   */
  judgePicks(
    { days: picks }: ListPastPicksResponse,
    requested: PastRequest & Caller,
    call: Call,
  ): Promise<JudgeScreenResponse> {
    return this.#judge({ rules: undefined, universe: undefined, picks }, requested, requested, call);
  }

  #judge(
    judged: Pick<JudgeScreenRequest, 'rules' | 'universe' | 'picks'>,
    owner: Caller,
    { from, to, target_gain, stop_loss, horizon_days }: PastRequest,
    call: Call,
  ): Promise<JudgeScreenResponse> {
    const request = { ...judged, from, to, target_gain, stop_loss, horizon_days };
    return this.#deps.fields.judgeScreen(request, optionsOf(owner, call));
  }

  /**
   * Who was in a screen at the end of each day on which a simulation gives orders: as many as it can buy.
   * @throws ServiceError as {@link judge}
   */
  async pastMembers(
    screen: RulesScreen,
    requested: SimulatedSpan,
    call: Call,
  ): Promise<ListPastMembersResponse> {
    const { fields, universes } = this.#deps;
    const { from, to, rebalance, max_positions: limit } = requested;
    const universe = await universes.stocks(screen.universe, screen);
    const request = { rules: screen.rules, universe, from, to, step: stepOf(rebalance), limit };
    return fields.listPastMembers(request, optionsOf(screen, call));
  }

  /** Records a run that succeeds as usage of its caller. */
  async #recorded(
    { kind, screen_id, version, api_key_id, end_user }: RanScreen,
    { requestId: request_id }: Call,
    run: () => Promise<ScreenStocksResponse>,
  ): Promise<ScreenStocksResponse> {
    const { runs, newId, clock } = this.#deps;
    const begunMs = performance.now();
    const result = await run();
    const { as_of, matched, rules_text, dataset_version } = result;
    const duration_seconds = (performance.now() - begunMs) / 1_000;
    const what = { kind, screen_id, version, api_key_id, end_user, rules_text, as_of, matched };
    const event_id = newId('ue');
    runs.record({ event_id, ts: clock(), ...what, duration_seconds, dataset_version, request_id });
    return result;
  }
}

/** The first evaluation of a dataset version computes fields, and may take nearly all of the caller's time. */
function optionsOf({ api_key_id: apiKeyId }: Pick<Caller, 'api_key_id'>, call: Call): CallOptions {
  return { ...call, apiKeyId, timeoutMs: Math.min(call.remainingMs - RESPONSE_MS, LONGEST_MS) };
}

/**
 * What evaluations would cost together. Whoever is not paid for one says so before anything is done. One that finds nothing costs nothing.
 * @throws ServiceError as they do
 */
export async function costMsOf(
  call: Call,
  evaluations: ((unpaid: Call) => Promise<unknown>)[],
): Promise<number> {
  const costs = evaluations.map(async (evaluate) => {
    try {
      await evaluate({ ...call, cost: new CallCost() });
      return 0;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.costMs === undefined && error.code !== 'not_found') throw error;
      return error.costMs ?? 0;
    }
  });
  return (await Promise.all(costs)).reduce((sum, ms) => sum + ms, 0);
}

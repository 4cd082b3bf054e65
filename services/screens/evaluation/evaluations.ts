import { MOST_YEARS, USUAL_YEARS, yearsBefore } from '#shared/market/past-span.ts';
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
import { jakartaDay } from '#foundation/jakarta-time.ts';
import type { ScreenRuns } from './screen-runs.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import type { CallOptions, ServiceClient } from '#platform/grpc/client.ts';
import type { EvaluationBudget } from './budget.ts';
import type { Caller } from '../store/owned-rows.ts';
import type { RulesScreen } from '../saved/model-screens.ts';
import type { RequestedRules } from '../saved/requested-rules.ts';
import type { Universes } from '../saved/universe.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** The part of a caller's deadline that is kept for sending the response. */
const RESPONSE_MS = 300;
/** How long an evaluation may take for a caller without a deadline. */
const LONGEST_MS = 30_000;

interface EvaluationsDependencies {
  fields: ServiceClient<FieldServiceService>;
  universes: Universes;
  rules: RequestedRules;
  budget: EvaluationBudget;
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

/** Has screens evaluated by market-data, within the budget of each key. All fail with rate_limited beyond it. */
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
      this.#spend(screen, call, (options) => fields.screenStocks(request, options)),
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
      this.#spend(caller, call, (options) => fields.screenStocks(request, options)),
    );
  }

  /**
   * What fields say of every stock on a day. It counts as one evaluated day, since it computes as much.
   * @throws ServiceError invalid_request, not_found or data_unavailable
   */
  async values(
    { api_key_id, as_of, fields: names }: ListFieldValuesRequest,
    call: Call,
  ): Promise<ListFieldValuesResponse> {
    const { fields } = this.#deps;
    return this.#spend({ api_key_id }, call, (options) =>
      fields.listFieldValues({ as_of, fields: names }, options),
    );
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
    return this.#spend(screen, call, (options) => fields.explainStock(request, options));
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
    const { fields, clock } = this.#deps;
    const request = { ...judged, from, to, target_gain, stop_loss, horizon_days };
    const days = weekdaysOf(from, to ?? jakartaDay(clock()));
    return this.#spend(owner, call, (options) => fields.judgeScreen(request, options), days);
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
    const days = weekdaysOf(from, to);
    return this.#spend(screen, call, (options) => fields.listPastMembers(request, options), days);
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

  /** Evaluates one day, or some. The first evaluation of a dataset version computes fields, and may take nearly all of the caller's time. */
  #spend<T>(
    { api_key_id }: Pick<Caller, 'api_key_id'>,
    call: Call,
    evaluate: (options: CallOptions) => Promise<T>,
    days = 1,
  ): Promise<T> {
    const timeoutMs = Math.min(call.remainingMs - RESPONSE_MS, LONGEST_MS);
    return this.#deps.budget.spend(api_key_id, days, () =>
      evaluate({ ...call, apiKeyId: api_key_id, timeoutMs }),
    );
  }
}

/** About as many trading days as a span has. At least one, also where the span is refused later. */
function weekdaysOf(from: string | undefined, to: string): number {
  const longest = yearsBefore(to, MOST_YEARS);
  const first = from ?? yearsBefore(to, USUAL_YEARS);
  const days = (Date.parse(to) - Date.parse(first > longest ? first : longest)) / DAY_MS + 1;
  return Math.max(1, Math.ceil((days * 5) / 7));
}

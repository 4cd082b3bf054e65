import type {
  ExplainStockResponse,
  FieldServiceService,
  ScreenStocksResponse,
} from '#proto/saring/market_data/v1/fields.ts';
import type { ScreenUniverse } from '#proto/saring/screens/v1/screens.ts';
import type { CallContext } from '#shared/grpc/call-context.ts';
import type { ServiceClient } from '#shared/grpc/client.ts';
import type { EvaluationBudget } from './budget.ts';
import type { Caller } from './caller.ts';
import { rulesOf } from '#shared/requested-rules.ts';
import type { ScreenRow } from './store/screen-store.ts';
import type { Universes } from './universe.ts';

interface EvaluationsDependencies {
  fields: ServiceClient<FieldServiceService>;
  universes: Universes;
  budget: EvaluationBudget;
}

/** The day of an evaluation, and fields to return besides those that the rules name. */
interface Requested {
  as_of?: string | undefined;
  columns: string[];
}

/** Has screens evaluated by market-data, within the budget of each key. All fail with rate_limited beyond it. */
export class Evaluations {
  readonly #deps: EvaluationsDependencies;

  constructor(deps: EvaluationsDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError watchlist_not_found, not_found, invalid_request or data_unavailable */
  async run(
    screen: ScreenRow,
    { as_of, columns }: Requested,
    call: CallContext,
  ): Promise<ScreenStocksResponse> {
    const { fields, universes, budget } = this.#deps;
    const universe = await universes.stocks(screen.universe, screen);
    const request = { rules: screen.rules, universe, as_of, columns };
    return budget.spend(screen.api_key_id, 1, () => fields.screenStocks(request, call));
  }

  /**
   * Runs rules that are not saved.
   * @throws ServiceError invalid_request, not_found or data_unavailable
   */
  async preview(
    sent: { rules: unknown; universe?: ScreenUniverse | undefined },
    { as_of, columns }: Requested,
    caller: Caller,
    call: CallContext,
  ): Promise<ScreenStocksResponse> {
    const { fields, universes, budget } = this.#deps;
    const rules = rulesOf(sent.rules);
    const universe = await universes.stocks(await universes.checked(sent.universe, caller), caller);
    const request = { rules, universe, as_of, columns };
    return budget.spend(caller.api_key_id, 1, () => fields.screenStocks(request, call));
  }

  /** @throws ServiceError watchlist_not_found, not_found for an unknown ticker, invalid_request or data_unavailable */
  async explain(
    screen: ScreenRow,
    { ticker, as_of }: { ticker: string; as_of?: string | undefined },
    call: CallContext,
  ): Promise<ExplainStockResponse> {
    const { fields, universes, budget } = this.#deps;
    const universe = await universes.stocks(screen.universe, screen);
    const request = { rules: screen.rules, universe, ticker, as_of };
    return budget.spend(screen.api_key_id, 1, () => fields.explainStock(request, call));
  }
}

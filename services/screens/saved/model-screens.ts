import type { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import type { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import type { ScreenModelRun } from '#proto/saring/screens/v1/screens.ts';
import type { Rules } from '#fields/rules/rules.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { codeOf, universeIn } from '#foundation/text/codes.ts';
import type { ScreenRow } from '../store/screen-store.ts';
import type { Universes } from './universe.ts';

type Params = Record<string, unknown>;

const FIXED_STOCKS =
  'Its past is that of a backfill, which takes no universe such as `universe:LQ45`: name a sector or single tickers instead.';

/** Every model has a full view. */
const VIEW = 'full';

interface ModelScreensDependencies {
  catalogue: Pick<ServiceClient<CatalogueServiceService>, 'validateRun'>;
  fields: Pick<ServiceClient<FieldServiceService>, 'listScreenedStocks'>;
  universes: Universes;
}

/** Screens by model: what they may say, and the run that each comes to. */
export class ModelScreens {
  readonly #deps: ModelScreensDependencies;

  constructor(deps: ModelScreensDependencies) {
    this.#deps = deps;
  }

  /**
   * Refuses what no run of the model accepts, or what makes every run fail.
   * @throws ServiceError model_not_found, invalid_request or model_unavailable
   */
  async require(model_id: string, params: Params, call: CallContext): Promise<void> {
    if (Object.hasOwn(params, 'tickers')) {
      const msg = 'must be left out: `universe` says which stocks the model may pick';
      refuse([{ loc: ['body', 'params', 'tickers'], msg, type: 'extra_forbidden' }]);
    }
    await this.#deps.catalogue.validateRun({ model_id, params, view: VIEW }, call);
  }

  /**
   * The run that a screen comes to now: a watchlist has its present tickers, and a sector its stocks in the served market.
   * @throws ServiceError watchlist_not_found, invalid_request for an unknown sector, data_unavailable
   */
  async runOf(screen: ModelScreen, call: CallContext): Promise<ScreenModelRun> {
    const { model_id, params } = screen;
    const tickers = await this.#tickersOf(screen, call);
    return { model_id, params: { ...params, ...(tickers && { tickers }) } };
  }

  /**
   * The run whose backfill has the past picks of a screen. Its days are those of the backfill, and a universe of the market has no
   * place in it, because its members differ from day to day.
   * @throws ServiceError as {@link runOf}, and unsupported_for_model_screen
   */
  async pastRunOf(screen: ModelScreen, call: CallContext): Promise<ScreenModelRun> {
    const { model_id, params = {} } = await this.runOf(screen, call);
    const { analysis_date: _, ...others } = params;
    const tickers = (others['tickers'] ?? []) as string[];
    if (tickers.some((ticker) => universeIn(codeOf(ticker)) !== undefined))
      throw unsupported(screen, FIXED_STOCKS);
    return { model_id, params: others };
  }

  async #tickersOf({ universe, ...owner }: ModelScreen, call: CallContext): Promise<string[] | undefined> {
    const stocks = await this.#deps.universes.stocks(universe, owner);
    if (stocks?.sector === undefined) return stocks?.tickers;
    const { tickers } = await this.#deps.fields.listScreenedStocks({ universe: stocks }, call);
    return tickers;
  }
}

type ModelScreen = ScreenRow & { model_id: string; params: Params };
export type RulesScreen = ScreenRow & { rules: Rules };

export function isByModel(screen: ScreenRow): screen is ModelScreen {
  return screen.model_id !== null;
}

/**
 * The screen, if it has rules.
 * @param instead what the caller can do with a screen by model, as a sentence
 * @throws ServiceError unsupported_for_model_screen
 */
export function requireRules(screen: ScreenRow, instead: string): RulesScreen {
  if (screen.rules) return screen as RulesScreen;
  throw unsupported(screen, instead);
}

export function unsupported({ model_id }: Pick<ScreenRow, 'model_id'>, instead: string): ServiceError {
  return new ServiceError(
    'unsupported_for_model_screen',
    `The screen has no rules: it runs the model ${model_id}. ${instead}`,
  );
}

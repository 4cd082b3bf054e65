import type { Clock } from '#foundation/clock.ts';
import type { CursorSigner } from '#platform/paging/cursor.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import type { IdSource } from '#foundation/ids.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import type { NewestTradingDay } from '#shared/market/newest-trading-day.ts';
import { TEST_MARKET, isTestKey } from '#foundation/test-market.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { CreateScreenRequest } from '#proto/saring/screens/v1/screens.ts';
import type { Caller, OwnershipLimits } from '../store/owned-rows.ts';
import type { ModelScreens } from './model-screens.ts';
import { pageOf, type Page, type PageRequest } from '#platform/paging/pages.ts';
import type { RequestedRules } from './requested-rules.ts';
import type { SaidContent, ScreenContent, ScreenRow, ScreenStore } from '../store/screen-store.ts';
import type { Universes } from './universe.ts';

interface ScreensDependencies {
  store: ScreenStore;
  universes: Universes;
  rules: RequestedRules;
  models: Pick<ModelScreens, 'require'>;
  newest: Pick<NewestTradingDay, 'known'>;
  cursors: CursorSigner;
  limits: OwnershipLimits;
  clock: Clock;
  newId: IdSource;
}

type ScreenRequest = Omit<CreateScreenRequest, keyof Caller>;

export class Screens {
  readonly #deps: ScreensDependencies;

  constructor(deps: ScreensDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError invalid_request, also when a limit is reached, model_not_found, model_unavailable or data_unavailable */
  async create(request: ScreenRequest, caller: Caller, call: CallContext): Promise<ScreenRow> {
    const { store, limits, clock, newId } = this.#deps;
    const content = await this.#contentOf(request, caller, call);
    const screen_id = newId('scr');
    const { api_key_id, end_user } = caller;
    const screen = { screen_id, api_key_id, end_user, ...content, created_at: clock() };
    await store.insert(screen, limits);
    return this.get(screen_id, caller);
  }

  /** @throws ServiceError invalid_cursor */
  list(page: PageRequest, { api_key_id, end_user }: Caller): Promise<Page<ScreenRow>> {
    const { store, cursors } = this.#deps;
    const caller = { api_key_id, end_user };
    return pageOf(page, {
      cursors,
      scope: { list: 'screens', ...caller },
      read: (after, limit) => store.list(caller, this.#marketOf(caller), after, limit),
      positionOf: ({ created_at, screen_id }) => ({ at: created_at.getTime(), id: screen_id }),
    });
  }

  /**
   * @param version the newest if undefined
   * @throws ServiceError screen_not_found, also for a version that the screen never had
   */
  async get(id: string, caller: Caller, version?: number): Promise<ScreenRow> {
    const screen = await this.#deps.store.find(id, caller, { market: this.#marketOf(caller), version });
    if (!screen) throw new ServiceError('screen_not_found', 'There is no such screen.');
    return screen;
  }

  /**
   * @param expected the version that the caller has read; any if undefined
   * @throws ServiceError as {@link create}, screen_not_found or stale_version
   */
  async replace(
    id: string,
    request: ScreenRequest,
    expected: number | undefined,
    { caller, call }: { caller: Caller; call: CallContext },
  ): Promise<ScreenRow> {
    const { store, clock } = this.#deps;
    await this.#owned(id, caller);
    const content = await this.#contentOf(request, caller, call);
    if (!(await store.replace(id, content, expected, { caller, now: clock() }))) {
      const { version } = await this.#owned(id, caller);
      throw new ServiceError('stale_version', `The screen has version ${version} by now. Read it again.`);
    }
    return this.get(id, caller);
  }

  /** @throws ServiceError screen_not_found */
  async delete(id: string, caller: Caller): Promise<void> {
    if (!(await this.#deps.store.delete(id, caller))) await this.#owned(id, caller);
  }

  #marketOf({ api_key_id }: Caller): string | undefined {
    return isTestKey(api_key_id) ? TEST_MARKET : this.#deps.newest.known?.market;
  }

  /** @throws ServiceError screen_not_found */
  async #owned(id: string, caller: Caller): Promise<ScreenRow> {
    const screen = await this.get(id, caller);
    if (screen.end_user === caller.end_user) return screen;
    throw new ServiceError('screen_not_found', 'Only the owner of a shared screen can change it.');
  }

  async #contentOf(request: ScreenRequest, caller: Caller, call: CallContext): Promise<ScreenContent> {
    const { name, universe, shared } = request;
    return {
      name: name.trim(),
      shared,
      ...(await this.#said(request, call)),
      universe: await this.#deps.universes.checked(universe, caller),
    };
  }

  /** Either the rules or the model of a request. */
  async #said(request: ScreenRequest, call: CallContext): Promise<SaidContent> {
    const { model_id, params } = request;
    const rules: unknown = request.rules;
    if (rules === undefined && model_id === undefined)
      refuse([{ loc: ['rules'], msg: 'must be sent, or model_id instead', type: 'missing' }]);
    if (rules !== undefined && model_id !== undefined)
      refuse([{ loc: ['model_id'], msg: 'must be left out if rules are sent', type: 'extra_forbidden' }]);
    if (model_id === undefined) {
      if (params !== undefined)
        refuse([{ loc: ['params'], msg: 'must be left out without model_id', type: 'extra_forbidden' }]);
      return { rules: await this.#deps.rules.of(rules, call), model_id: null, params: null };
    }
    await this.#deps.models.require(model_id, params ?? {}, call);
    return { rules: null, model_id, params: params ?? {} };
  }
}

import type { ScreenOfStock } from '#proto/saring/screens/v1/screens.ts';
import type { CursorSigner } from '#platform/paging/cursor.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import type { NewestTradingDay } from '#shared/market/newest-trading-day.ts';
import { TEST_MARKET, isTestKey } from '#foundation/test-market.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { codeOf } from '#foundation/text/codes.ts';
import type { Caller } from '../store/owned-rows.ts';
import { pageOf, type Page, type PageRequest } from '#platform/paging/pages.ts';
import type { ChangeRow, ChangeStore } from '../store/change-store.ts';
import { requireRules } from '../saved/model-screens.ts';
import type { Screens } from '../saved/screens.ts';

const NOT_FOLLOWED =
  'Its members are not followed, because every run learns anew. Run it, or have the operator schedule its model, and compare ' +
  'two jobs with GET /api/v1/jobs/{job_id}/diff.';

interface ChangesDependencies {
  store: ChangeStore;
  screens: Pick<Screens, 'get'>;
  newest: Pick<NewestTradingDay, 'known'>;
  cursors: CursorSigner;
}

interface ChangePage extends Page<ChangeRow> {
  /** `real` or `synthetic`. */
  market: string;
}

/** Reads who entered and left screens, and who is in them on the newest day. Both as of the served market. */
export class Changes {
  readonly #deps: ChangesDependencies;

  constructor(deps: ChangesDependencies) {
    this.#deps = deps;
  }

  /**
   * Days with changes of a screen, newest first, from the day in Jakarta of `since` on.
   * @throws ServiceError invalid_cursor, screen_not_found, unsupported_for_model_screen, or data_unavailable while no market is known
   */
  async list(
    screen_id: string,
    since: Date | undefined,
    page: PageRequest,
    { api_key_id, end_user }: Caller,
  ): Promise<ChangePage> {
    const { store, cursors, screens } = this.#deps;
    const caller = { api_key_id, end_user };
    const market = this.#marketOf(caller);
    const from = since && jakartaDay(since);
    const found = await pageOf(page, {
      cursors,
      scope: { list: 'screen changes', ...caller, screen_id, market, from },
      read: async (after, limit) => {
        requireRules(await screens.get(screen_id, caller), NOT_FOLLOWED);
        return store.list({ screen_id, market, from, before: after?.id, limit });
      },
      positionOf: ({ as_of }) => ({ at: Date.parse(as_of), id: as_of }),
    });
    return { ...found, market: market === TEST_MARKET ? 'synthetic' : market };
  }

  /**
   * The screens of a caller that hold a stock on the newest day, by name.
   * @throws ServiceError data_unavailable while no market is known
   */
  holding(ticker: string, caller: Caller): Promise<ScreenOfStock[]> {
    return this.#deps.store.holding(codeOf(ticker), this.#marketOf(caller), caller);
  }

  #marketOf({ api_key_id }: Caller): string {
    if (isTestKey(api_key_id)) return TEST_MARKET;
    const { known } = this.#deps.newest;
    if (known) return known.market;
    throw new ServiceError('data_unavailable', 'Nothing is known of the market yet. Try again.');
  }
}

import type { CursorSigner } from '#shared/cursor.ts';
import { jakartaDay } from '#shared/jakarta-time.ts';
import type { NewestTradingDay } from '#shared/newest-trading-day.ts';
import { ServiceError } from '#shared/service-error.ts';
import { codeOf } from '#shared/text/codes.ts';
import type { Caller } from './caller.ts';
import { pageOf, type Page, type PageRequest } from './pages.ts';
import type { ChangeRow, ChangeStore, HoldingRow } from './store/change-store.ts';
import type { ScreenRow } from './store/screen-store.ts';

interface ChangesDependencies {
  store: ChangeStore;
  newest: Pick<NewestTradingDay, 'known'>;
  cursors: CursorSigner;
}

/** Changes in a market. */
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
   * Days with changes, newest first, from the day in Jakarta of `since` on.
   * @throws ServiceError invalid_cursor, or data_unavailable while no market is known
   */
  async list(screen: ScreenRow, since: Date | undefined, page: PageRequest): Promise<ChangePage> {
    const { store, cursors } = this.#deps;
    const { screen_id, api_key_id } = screen;
    const market = this.#market();
    const from = since && jakartaDay(since);
    const found = await pageOf(page, {
      cursors,
      scope: { list: 'screen changes', api_key_id, screen_id, market, from },
      read: (after, limit) => store.list({ screen_id, market, from, before: after?.id, limit }),
      positionOf: ({ as_of }) => ({ at: Date.parse(as_of), id: as_of }),
    });
    return { ...found, market };
  }

  /**
   * The screens of a caller that hold a stock on the newest day, by name.
   * @throws ServiceError data_unavailable while no market is known
   */
  holding(ticker: string, caller: Caller): Promise<HoldingRow[]> {
    return this.#deps.store.holding(codeOf(ticker), this.#market(), caller);
  }

  #market(): string {
    const { known } = this.#deps.newest;
    if (known) return known.market;
    throw new ServiceError('data_unavailable', 'Nothing is known of the market yet. Try again.');
  }
}

import type { FieldServiceService, FollowedResult } from '#proto/saring/market_data/v1/fields.ts';
import type { Clock } from '#foundation/clock.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { NewestTradingDay, ServedVersion } from '#shared/market/newest-trading-day.ts';
import { TEST_MARKET, type CalledMarket } from '#foundation/test-market.ts';
import { isPostgresUnavailable } from '#platform/postgres/postgres-unavailable.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { textMistakes } from '#platform/wire/text-mistakes.ts';
import { retryAt, waitsForResults } from './awaited-results.ts';
import { triedAgainAt } from './set-aside.ts';
import type { DueScreen, Move, PlaceStore } from '../store/place-store.ts';
import type { Universes } from '../saved/universe.ts';

/** Screens in one call. Their rules, universes and earlier members stay well below the largest request of a service. */
const BATCH = 50;
/** Longest JSON of one call, in characters. A single screen is always shorter. */
const MAX_CALL_LENGTH = 500_000;
/** market-data answers before, with the screens that it has come to. */
const CALL_TIMEOUT_MS = 10_000;
/**
 * A batch takes less. If one takes longer, another copy may do the same work in vain. A copy that dies keeps the others
 * waiting for this long at most.
 */
const TURN_MS = CALL_TIMEOUT_MS;

/** Why a screen is set aside, as its owner reads it; market-data says the other reasons. */
const FORBIDDEN_TEXT =
  'Its rules or the tickers of its universe contain control characters, which are refused by now. Replace them.';
const REFUSED = 'It cannot be evaluated for a reason that is not of its rules. It is tried again.';
const UNRECORDED = 'What changed in it could not be recorded. It is tried again.';
interface FollowingDependencies {
  store: PlaceStore;
  universes: Universes;
  fields: ServiceClient<FieldServiceService>;
  newest: Pick<NewestTradingDay, 'known'>;
  clock: Clock;
  log: Logger;
  /** Aborts running calls. */
  stopping: AbortSignal;
}

/**
 * Evaluates every screen once for each dataset version that is served, and records who entered and left. A screen that reads a daily
 * result of a model waits for it, and is evaluated a second time if it came too late. One that cannot be evaluated or recorded for a
 * reason of its own is set aside, and tried again later: it holds up no others. Safe to run in any
 * number of copies: they take turns, and a result that does not continue the stored place changes nothing.
 */
export class Following {
  readonly #deps: FollowingDependencies;
  /** The name of this copy among those that take turns. */
  readonly #holder = randomId('req');

  constructor(deps: FollowingDependencies) {
    this.#deps = deps;
  }

  /** Follows every screen that has not considered the served version, in batches. */
  async round(): Promise<void> {
    const { store, newest, clock, stopping } = this.#deps;
    const served = newest.known;
    if (served === undefined || (await store.due(served, clock(), 1)).length === 0) return;
    const { market } = served;
    try {
      while (!stopping.aborted && (await this.#takeTurn(market)) && (await this.#follow(served)));
    } finally {
      await store.endTurn(market, this.#holder, clock());
    }
  }

  #takeTurn(market: string): Promise<boolean> {
    const now = this.#deps.clock();
    const until = new Date(now.getTime() + TURN_MS);
    return this.#deps.store.takeTurn(market, this.#holder, { now, until });
  }

  /** Follows one batch. Returns whether there may be another. */
  async #follow(served: ServedVersion, atMost = BATCH): Promise<boolean> {
    const { store, clock } = this.#deps;
    const due = await store.due(served, clock(), atMost);
    if (due.length === 0) return false;
    let evaluated: Evaluated | undefined;
    try {
      evaluated = await this.#evaluate(due, served);
    } catch (error) {
      if (isOfAll(error)) throw error;
      // One of them makes market-data refuse the call. It is found by halves.
      if (due.length > 1) return this.#follow(served, Math.ceil(due.length / 2));
      evaluated = { moves: [this.#setAside(due[0]!, REFUSED, error)], waiting: [] };
    }
    if (evaluated === undefined) return false;
    const { moves, waiting } = evaluated;
    await this.#wait(waiting, served);
    const moved = await this.#move(moves, due, served);
    return moved + waiting.length > 0;
  }

  /** Records where screens have moved: together, or each alone if one of them cannot be recorded. Returns how many moved. */
  async #move(moves: readonly Move[], due: readonly DueScreen[], served: ServedVersion): Promise<number> {
    const { store, clock, log } = this.#deps;
    try {
      const moved = await store.move(moves, served, clock());
      for (const { screen_id, failure, is_set_aside } of moves)
        if (failure !== null && !is_set_aside && moved.includes(screen_id))
          log.info({ screen_id, reason: failure }, 'a screen fails');
      return moved.length;
    } catch (error) {
      const [first, ...others] = moves;
      if (!first || isOfAll(error) || (others.length === 0 && first.is_set_aside)) throw error;
      const screenOf = ({ screen_id }: Move) => due.find((screen) => screen.screen_id === screen_id)!;
      let moved = 0;
      for (const move of moves) {
        const alone = others.length > 0 ? move : this.#setAside(screenOf(move), UNRECORDED, error);
        moved += await this.#move([alone], due, served);
      }
      return moved;
    }
  }

  /** A screen that stays where it is until it is tried again. */
  #setAside(screen: DueScreen, reason: string, cause?: unknown): Move {
    const { clock, log } = this.#deps;
    const { screen_id, api_key_id } = screen;
    log.warn({ screen_id, api_key_id, reason, err: cause }, 'a screen is set aside');
    return { ...failed(screen, reason), is_set_aside: true, retry_at: triedAgainAt(screen, clock()) };
  }

  /** Undefined if another dataset version answered: some copies of market-data serve a new version a little later. */
  async #evaluate(due: DueScreen[], served: ServedVersion): Promise<Evaluated | undefined> {
    const { fields, clock, stopping } = this.#deps;
    const lost: Move[] = [];
    const followed: { screen: DueScreen; request: Followed }[] = [];
    let length = 0;
    for (const screen of due) {
      const request = await this.#requestFor(screen, served);
      if (typeof request === 'string') {
        lost.push(failed(screen, request));
        continue;
      }
      // Such texts were accepted once. The whole call would be refused for one.
      if (textMistakes(request, []).length > 0) {
        lost.push(this.#setAside(screen, FORBIDDEN_TEXT));
        continue;
      }
      length += JSON.stringify(request).length;
      if (length > MAX_CALL_LENGTH && followed.length > 0) break;
      followed.push({ screen, request });
    }
    if (followed.length === 0) return { moves: lost, waiting: [] };
    const market: CalledMarket = served.market === TEST_MARKET ? TEST_MARKET : undefined;
    const call = { requestId: randomId('req'), market, signal: stopping, timeoutMs: CALL_TIMEOUT_MS };
    const screens = followed.map(({ request }) => request);
    const { results, as_of, dataset_version } = await fields.followScreens(
      { screens, as_of: undefined },
      call,
    );
    if (dataset_version !== served.version) return undefined;
    const now = clock();
    const answered = results.map((result, i) => ({ ...followed[i]!, result }));
    const isWaiting = ({ request, result }: (typeof answered)[number]) =>
      request.waits_for_results && result.awaits_results;
    return {
      waiting: answered.filter(isWaiting).map(({ screen }) => screen),
      moves: [
        ...lost,
        ...answered
          .filter((one) => !isWaiting(one))
          .map(({ screen, request, result }) =>
            result.may_pass
              ? this.#setAside(screen, result.failure!)
              : {
                  ...moveOf(screen, request, result, as_of),
                  retry_at: result.awaits_results ? retryAt(screen, served, now) : null,
                },
          ),
      ],
    };
  }

  async #wait(waiting: readonly DueScreen[], served: ServedVersion): Promise<void> {
    const { store, clock } = this.#deps;
    const now = clock();
    const byTime = Map.groupBy(waiting, (screen) => retryAt(screen, served, now).getTime());
    for (const [time, screens] of byTime) {
      const ids = screens.map(({ screen_id }) => screen_id);
      await store.wait(ids, served, { now, retryAt: new Date(time) });
    }
  }

  /** The request for a screen, or why it cannot be evaluated. */
  async #requestFor(screen: DueScreen, served: ServedVersion): Promise<Followed | string> {
    const { screen_id, rules, universe } = screen;
    try {
      const stocks = await this.#deps.universes.stocks(universe, screen);
      const waits_for_results = waitsForResults(screen, served, this.#deps.clock());
      return { id: screen_id, rules, universe: stocks, ...previousOf(screen, served.day), waits_for_results };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'watchlist_not_found') return error.message;
      throw error;
    }
  }
}

type Followed = Parameters<ServiceClient<FieldServiceService>['followScreens']>[0]['screens'][number];

interface Evaluated {
  moves: Move[];
  /** Screens that stay where they are until a model's daily result has come. */
  waiting: DueScreen[];
}

type Compared = Pick<DueScreen, 'version'> & {
  place: Omit<
    NonNullable<DueScreen['place']>,
    'dataset_version' | 'awaited_version' | 'awaited_since' | 'set_aside_since'
  > | null;
};

/** Whether every screen would fail so: market-data or the database is unavailable. */
function isOfAll(error: unknown): boolean {
  return isPostgresUnavailable(error) || (error instanceof ServiceError && error.code === 'data_unavailable');
}

/**
 * The earlier result with which a day is compared. When the newest day comes again, corrected, it is compared with what its
 * first version was compared with. There is none for a screen that is new, replaced or new in the market, and none if the market
 * ends before the place of the screen.
 */
export function previousOf(
  { version, place }: Compared,
  day: string,
): Pick<Followed, 'previous_as_of' | 'previous_tickers'> {
  const none = { previous_as_of: undefined, previous_tickers: [] };
  if (!place || place.version !== version || place.as_of === null || place.as_of > day) return none;
  if (place.as_of < day) return { previous_as_of: place.as_of, previous_tickers: place.tickers };
  const { previous_as_of, previous_tickers } = place;
  return previous_as_of === null ? none : { previous_as_of, previous_tickers };
}

/** The move of a screen to a day, without the time at which to ask again. */
function moveOf(screen: DueScreen, request: Followed, result: FollowedResult, as_of: string): Move {
  if (result.failure !== undefined) return failed(screen, result.failure);
  const { previous_as_of = null, previous_tickers } = request;
  const isFirst = previous_as_of === null;
  return {
    screen_id: screen.screen_id,
    version: screen.version,
    as_of,
    tickers: result.tickers,
    previous_as_of,
    previous_tickers,
    failure: null,
    entered: isFirst ? [] : result.entered,
    left: isFirst ? [] : result.left,
    revision: revisionAfter(screen),
    is_set_aside: false,
    retry_at: null,
  };
}

/** A screen that fails stays where it is, and goes on from there once it can be evaluated again. */
function failed(screen: DueScreen, failure: string): Move {
  const { screen_id, version, place } = screen;
  const stays = place?.version === version ? place : undefined;
  return {
    screen_id,
    version,
    as_of: stays?.as_of ?? null,
    tickers: stays?.tickers ?? [],
    previous_as_of: stays?.previous_as_of ?? null,
    previous_tickers: stays?.previous_tickers ?? [],
    failure,
    entered: [],
    left: [],
    revision: revisionAfter(screen),
    is_set_aside: false,
    retry_at: null,
  };
}

function revisionAfter({ place }: DueScreen): number {
  return (place?.revision ?? 0) + 1;
}

import { formatRules } from '#fields/rules/format-rules.ts';
import type { Screen, ScreensServiceService } from '#proto/saring/screens/v1/screens.ts';
import type { WatchlistsServiceService } from '#proto/saring/screens/v1/watchlists.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { allWithDatabase, withDatabase } from '#platform/postgres/postgres-unavailable.ts';
import { codeOf } from '#foundation/text/codes.ts';
import type { createScreens } from './create-screens.ts';
import { isByModel, requireRules, unsupported } from './saved/model-screens.ts';
import { withoutNulls } from '#shared/without-nulls.ts';
import { aboutPage } from '#platform/paging/pages.ts';
import type { ScreenRow } from './store/screen-store.ts';

type ScreensParts = ReturnType<typeof createScreens>;

/** The gRPC handlers of screens. While the database is unavailable, every call fails with data_unavailable. */
export function screensHandlers(
  parts: Omit<
    ScreensParts,
    'watchlists' | 'endUsers' | 'outbox' | 'places' | 'publishTo' | 'startBackground'
  >,
): Handlers<ScreensServiceService> {
  const { screens, models, evaluations, budgetNotices, pasts, simulations, changes } = parts;
  const found = <R extends { screen_id: string; api_key_id: string; end_user: string }>(request: R) =>
    screens.get(request.screen_id, request);
  return allWhileThere<Handlers<ScreensServiceService>>({
    createScreen: async (request, call) => ({
      screen: toScreen(await screens.create(request, request, call)),
    }),
    listScreens: async (request) => {
      const page = await screens.list(request, request);
      return { screens: page.rows.map(toScreen), ...aboutPage(page) };
    },
    getScreen: async (request) => ({
      screen: toScreen(await screens.get(request.screen_id, request, request.version)),
    }),
    replaceScreen: async (request, call) => {
      const { screen_id, version } = request;
      const by = { caller: request, call };
      return { screen: toScreen(await screens.replace(screen_id, request, version, by)) };
    },
    deleteScreen: async (request) => {
      const { screen_id } = request;
      await screens.delete(screen_id, request);
      return { screen_id, deleted: true };
    },
    runScreen: async (request, call) => {
      const screen = await found(request);
      const { screen_id, version } = screen;
      if (isByModel(screen)) {
        if (request.as_of !== undefined) throw unsupported(screen, NO_DAY);
        if (request.columns.length > 0) throw unsupported(screen, NO_COLUMNS);
        return { screen_id, version, result: undefined, model_run: await models.runOf(screen, call) };
      }
      return {
        screen_id,
        version,
        result: await evaluations.run(requireRules(screen, ''), request, request, call),
      };
    },
    listFieldValues: async (request, call) => ({ result: await evaluations.values(request, call) }),
    previewScreen: async (request, call) => ({
      result: await evaluations.preview(request, request, request, call),
    }),
    explainScreen: async (request, call) => {
      const screen = await found(request);
      const { screen_id, version } = screen;
      const explanation = await evaluations.explain(requireRules(screen, EXPLAINED), request, call);
      return { screen_id, version, explanation };
    },
    getScreenPast: (request, call) => pasts.judge(request, call),
    prepareSimulation: (request, call) => simulations.prepare(request, call),
    tellBudgetSpent: async ({ api_key_id, limit_ms }) => {
      budgetNotices.tell(api_key_id, limit_ms);
      return {};
    },
    listScreenChanges: async (request) => {
      const { market, ...page } = await changes.list(request.screen_id, request.since, request, request);
      return { changes: page.rows, market, ...aboutPage(page) };
    },
    listScreensOfStock: async (request) => {
      const holding = await changes.holding(request.ticker, request);
      return { ticker: codeOf(request.ticker), screens: holding, count: holding.length };
    },
  });
}

export function watchlistsHandlers({
  watchlists,
}: Pick<ScreensParts, 'watchlists'>): Handlers<WatchlistsServiceService> {
  return allWhileThere<Handlers<WatchlistsServiceService>>({
    createWatchlist: async (request) => ({ watchlist: await watchlists.create(request, request) }),
    listWatchlists: async (request) => {
      const page = await watchlists.list(request, request);
      return { watchlists: page.rows, ...aboutPage(page) };
    },
    getWatchlist: async (request) => ({ watchlist: await watchlists.get(request.watchlist_id, request) }),
    replaceWatchlist: async (request) => ({
      watchlist: await watchlists.replace(request.watchlist_id, request, request),
    }),
    deleteWatchlist: async (request) => {
      const { watchlist_id } = request;
      await watchlists.delete(watchlist_id, request);
      return { watchlist_id, deleted: true };
    },
  });
}

const NO_DAY = 'Leave `as_of` out: the run analyses the `analysis_date` of the screen’s `params`.';
const NO_COLUMNS = 'Leave `columns` out: the result of the job has the features of the model.';
const EXPLAINED =
  'GET /api/v1/jobs/{job_id}/explain explains a stock, with the job that running the screen starts.';

const UNAVAILABLE = 'Screens and watchlists cannot be read or changed at the moment. Try again.';

/** While the database is unavailable, work fails with data_unavailable. */
export const whileThere = <T>(work: () => Promise<T>) => withDatabase('data_unavailable', UNAVAILABLE, work);

function allWhileThere<All extends object>(handlers: All): All {
  return allWithDatabase('data_unavailable', UNAVAILABLE, handlers);
}

function toScreen({ api_key_id: _, made_at: version_at, ...screen }: ScreenRow): Screen {
  const rules_text = screen.rules ? formatRules(screen.rules) : undefined;
  return { ...withoutNulls(screen), rules_text, version_at };
}

import type { Kysely } from 'kysely';
import { TEST_MARKET } from '#foundation/test-market.ts';
import type { Clock } from '#foundation/clock.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import type { IdSource } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { NewestTradingDay } from '#shared/market/newest-trading-day.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { purgeExpired } from '#platform/postgres/purge-expired.ts';
import { pause } from '#platform/process/waiting.ts';
import { repeat } from '#platform/process/repeat.ts';
import { BudgetNotices } from './evaluation/budget-notices.ts';
import type { OwnershipLimits } from './store/owned-rows.ts';
import { Changes } from './following/changes.ts';
import type { connectServices } from './connect-services.ts';
import { Evaluations } from './evaluation/evaluations.ts';
import { Following } from './following/following.ts';
import { ModelScreens } from './saved/model-screens.ts';
import { RequestedRules } from './saved/requested-rules.ts';
import { Screens } from './saved/screens.ts';
import { ChangeStore } from './store/change-store.ts';
import { endUserScreens } from './store/end-user-screens.ts';
import { PlaceStore } from './store/place-store.ts';
import { ScreenStore } from './store/screen-store.ts';
import type { ScreensTables } from './store/tables.ts';
import { TrialStore } from './store/trial-store.ts';
import { WatchlistStore } from './store/watchlist-store.ts';
import { ScreenRuns } from './evaluation/screen-runs.ts';
import { Pasts } from './trials/pasts.ts';
import { Simulations } from './trials/simulations.ts';
import { Trials } from './trials/trials.ts';
import { Universes } from './saved/universe.ts';
import { Watchlists } from './saved/watchlists.ts';

const ROUND_PAUSE_MS = 1_000;
/** While no test key has a screen. */
const TEST_SCREENS_PAUSE_MS = 5_000;
const PURGE_PAUSE_MS = 600_000;

interface ScreensServiceDependencies {
  database: Kysely<ScreensTables>;
  clients: Omit<ReturnType<typeof connectServices>, 'close'>;
  cursorSecrets: readonly [string, ...string[]];
  limits: {
    screens: OwnershipLimits;
    watchlists: OwnershipLimits;
    /** 0 keeps every change for ever. */
    changesRetentionDays: number;
  };
  clock: Clock;
  newId: IdSource;
  log: Logger;
}

/** The screens service without its gRPC side. */
export function createScreens(deps: ScreensServiceDependencies) {
  const { database, clients, cursorSecrets, limits, clock, newId, log } = deps;
  const { datasets, fields, catalogue } = clients;
  const cursors = new CursorSigner(cursorSecrets);
  const newest = new NewestTradingDay({ datasets, log });
  const watchlistStore = new WatchlistStore(database);
  const universes = new Universes(watchlistStore);
  const rules = new RequestedRules(fields);
  const models = new ModelScreens({ catalogue, fields, universes });
  const changeStore = new ChangeStore(database);
  const owned = { cursors, clock, newId };
  const screens = new Screens({
    ...owned,
    store: new ScreenStore(database),
    universes,
    rules,
    models,
    newest,
    limits: limits.screens,
  });
  const outbox = new Outbox({ database, log });
  const places = new PlaceStore(database, outbox);
  const runs = new ScreenRuns({ outbox, log });
  const evaluations = new Evaluations({ fields, universes, rules, runs, newId, clock });
  const trials = new Trials(new TrialStore(database), clock);
  return {
    screens,
    models,
    endUsers: endUserScreens(database),
    outbox,
    places,
    /** Publishes runs and events from now on. Until then they are held. */
    publishTo: (nats: Pick<Nats, 'js'>) => {
      runs.publishTo(nats);
      outbox.publishTo(nats);
    },
    watchlists: new Watchlists({ ...owned, store: watchlistStore, limits: limits.watchlists }),
    evaluations,
    budgetNotices: new BudgetNotices({ outbox, clock, log }),
    pasts: new Pasts({ screens, models, evaluations, trials }),
    simulations: new Simulations({ screens, models, evaluations, trials }),
    changes: new Changes({ store: changeStore, screens, newest, cursors }),
    /** Starts the background work. Returns a function that stops it and waits for work in progress. */
    startBackground: () => {
      const stopping = new AbortController();
      const { signal } = stopping;
      const common = { store: places, universes, fields, clock, log, stopping: signal };
      const following = new Following({ ...common, newest });
      const newestOfTests = new NewestTradingDay({ datasets, log, market: TEST_MARKET });
      const followingTests = new Following({ ...common, newest: newestOfTests });
      let hearingTests: Promise<void> | undefined;
      const followTests = async () => {
        // Otherwise the test market would be made where nobody needs it.
        if (!hearingTests && !(await places.hasTestScreens())) return pause(TEST_SCREENS_PAUSE_MS, signal);
        hearingTests ??= newestOfTests.follow(signal);
        await followingTests.round();
      };
      const retention = { clock, retentionDays: limits.changesRetentionDays };
      const purge = () => purgeExpired(changeStore, retention, signal);
      const hearing = newest.follow(signal);
      const stops = [
        repeat('following screens', ROUND_PAUSE_MS, () => following.round(), log),
        repeat('following screens of test keys', ROUND_PAUSE_MS, followTests, log),
        repeat('removing old changes of screens', PURGE_PAUSE_MS, purge, log),
        runs.start(),
        outbox.start(),
      ];
      return () => {
        stopping.abort();
        return Promise.all([hearing, hearingTests, ...stops.map((stop) => stop())]);
      };
    },
  };
}

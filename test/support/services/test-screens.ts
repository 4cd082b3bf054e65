import { afterAll, beforeAll, expect } from 'vitest';
import type pg from 'pg';
import type { ScreenRow } from '#proto/saring/market_data/v1/fields.ts';
import {
  ScreensServiceService,
  type CreateScreenRequest,
  type Screen,
  type ScreenChange,
} from '#proto/saring/screens/v1/screens.ts';
import {
  WatchlistsServiceService,
  type CreateWatchlistRequest,
  type Watchlist,
} from '#proto/saring/screens/v1/watchlists.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { lastingPool } from '#platform/postgres/open-postgres.ts';
import { clientOf, identityOf, startService, type ServiceProcess } from '../processes/service-process.ts';
import { ownServers } from '../servers/servers.ts';
import { MODEL, ScreenedMarket } from './screened-market.ts';

/** Nothing listens there. Screens are answered nevertheless, and their runs stored in the database. */
const NO_NATS = 'nats://127.0.0.1:1';

const CALL = { requestId: 'req_test' };

/** An end user of a key. */
export interface User {
  api_key_id: string;
  end_user: string;
}

/** Two end users of one key, and one of another that has the same id as the first. */
export const ALICE: User = { api_key_id: 'key_one', end_user: 'alice' };
export const BOB: User = { api_key_id: 'key_one', end_user: 'bob' };
export const STRANGER: User = { api_key_id: 'key_two', end_user: 'alice' };

/** Processes of the screens service on their own PostgreSQL, with a fake of market-data. */
export class TestScreens {
  readonly market = new ScreenedMarket();
  readonly servers: { databaseUrl: string };
  processes: ServiceProcess[] = [];
  screens!: ServiceClient<ScreensServiceService>;
  watchlists!: ServiceClient<WatchlistsServiceService>;
  /** Reads the tables. */
  database!: pg.Pool;
  #settings: Record<string, string> = {};

  constructor(servers: { databaseUrl: string }) {
    this.servers = servers;
  }

  /** Starts processes that share the database. The clients call the first of them. */
  async start(howMany: number, settings = this.#settings): Promise<void> {
    this.#settings = settings;
    this.processes = await Promise.all(Array.from({ length: howMany }, () => this.startProcess()));
    const { address } = this.processes[0]!;
    const identity = identityOf('gateway');
    this.screens = clientOf(ScreensServiceService, address, { identity });
    this.watchlists = clientOf(WatchlistsServiceService, address, { identity });
    this.database ??= lastingPool({ connectionString: this.servers.databaseUrl, max: 2 });
  }

  startProcess(): Promise<ServiceProcess> {
    return startService('screens', {
      DATABASE_URL: this.servers.databaseUrl,
      CURSOR_SECRET: 'cursor-secret-of-the-tests',
      MARKET_DATA_ADDRESS: this.market.address,
      MARKET_DATA_TOKEN: identityOf('screens').token,
      MODELS_ADDRESS: this.market.address,
      NATS_URL: NO_NATS,
      ...this.#settings,
    });
  }

  /** Stops all processes and returns their exit codes. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<(number | null)[]> {
    this.screens?.close();
    this.watchlists?.close();
    return Promise.all(this.processes.splice(0).map((process) => process.kill(signal)));
  }

  async create(user: User, rules: unknown, change: Partial<CreateScreenRequest> = {}): Promise<Screen> {
    const request = { ...user, name: 'mine', rules, universe: undefined, shared: false, ...change };
    return (await this.screens.createScreen(request, CALL)).screen!;
  }

  /** A screen by model. */
  createOfModel(user: User, params: object, change: Partial<CreateScreenRequest> = {}): Promise<Screen> {
    return this.create(user, undefined, { model_id: MODEL, params: { ...params }, ...change });
  }

  async get({ screen_id }: Pick<Screen, 'screen_id'>, user: User, version?: number): Promise<Screen> {
    return (await this.screens.getScreen({ screen_id, ...user, version }, CALL)).screen!;
  }

  async watch(
    user: User,
    tickers: string[],
    change: Partial<CreateWatchlistRequest> = {},
  ): Promise<Watchlist> {
    const request = { ...user, name: 'banks', tickers, shared: false, ...change };
    return (await this.watchlists.createWatchlist(request, CALL)).watchlist!;
  }

  /** Tickers of the rows when a user runs a screen. */
  async run({ screen_id }: Pick<Screen, 'screen_id'>, user: User, as_of?: string): Promise<string[]> {
    const { result } = await this.screens.runScreen({ screen_id, ...user, as_of, columns: [] }, CALL);
    return (JSON.parse(result!.rows_json.toString()) as ScreenRow[]).map(({ ticker }) => ticker);
  }

  /** Waits until the members of a screen are known for a day. */
  async untilFollowed(screen: Pick<Screen, 'screen_id'>, user: User, day: string): Promise<void> {
    await expect.poll(async () => (await this.get(screen, user)).members_as_of).toBe(day);
  }

  async changes({ screen_id }: Pick<Screen, 'screen_id'>, user: User, since?: Date): Promise<ScreenChange[]> {
    const request = { screen_id, ...user, since, limit: 100 };
    return (await this.screens.listScreenChanges(request, CALL)).changes;
  }

  /** The same as `day: +entered -left`, newest first. */
  async told(screen: Pick<Screen, 'screen_id'>, user: User): Promise<string[]> {
    return (await this.changes(screen, user)).map(({ as_of, entered, left }) =>
      [
        `${as_of}:`,
        ...entered.map(({ ticker }) => `+${ticker}`),
        ...left.map(({ ticker }) => `-${ticker}`),
      ].join(' '),
    );
  }
}

/** Gives a test file processes of the screens service, and a market. Call at the top level of the file. */
export function testScreens(
  days: ScreenedMarket['days'],
  { copies = 1, settings = {} }: { copies?: number; settings?: Record<string, string> } = {},
): TestScreens {
  const own = new TestScreens(ownServers());
  beforeAll(async () => {
    own.market.days = days;
    await own.market.start();
    await own.start(copies, settings);
  });
  afterAll(async () => {
    await own.stop();
    await own.database?.end();
    await own.market.stop();
  });
  return own;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#quant/random.ts';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { issueKey, TENANT_SCOPES } from '#support/fleets/issued-keys.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { startSecondGateway } from '#support/fleets/second-gateway.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { ClickHouseProxy } from '#support/servers/clickhouse-proxy.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import type { Application } from '#support/load/load-client.ts';

const HIGH_LIMIT = 1_000_000;
/** Requests a minute at each gateway; clients of the limited key exceed it. */
const SMALL_LIMIT = 20;
const TENANT_LIMITS = [HIGH_LIMIT, HIGH_LIMIT, HIGH_LIMIT, SMALL_LIMIT];
const WORKERS = '3';

export type LoadStage = Awaited<ReturnType<typeof startLoadStage>>;

/**
 * Starts a fleet with three workers, a ClickHouse that can be slowed down, two gateways, and keys for applications, one of which may
 * read the usage of every key.
 */
export async function startLoadStage() {
  const clickhouse = await startSlowClickHouse();
  let fleet: Fleet | undefined;
  const stop = async () => {
    await fleet?.stop();
    await clickhouse.stop();
  };
  try {
    fleet = await Fleet.start({ ...SMALL_MARKET, WORKERS, DATASET: '', CLICKHOUSE_URL: clickhouse.url });
    const file = await fleet.file();
    const { stateDir } = fleet;
    const [admin, ...applications] = await Promise.all([
      newKey(stateDir, 'usage:admin', HIGH_LIMIT),
      ...TENANT_LIMITS.map((limit) => newKey(stateDir, TENANT_SCOPES, limit)),
    ]);
    const second = await startSecondGateway(file);
    const parts = { fleet, file, clickhouse, applications, admin, baseUrls: [file.base_url, second.baseUrl] };
    return { ...parts, stop: () => second.stop().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Lifts the limit of every limited key. */
export async function liftLimits({ fleet, applications }: LoadStage): Promise<void> {
  for (const { keyId } of applications.filter(({ isLimited }) => isLimited)) {
    const { code, stderr } = await saring(
      fleet.stateDir,
      'keys',
      'update',
      keyId,
      '--rate-limit',
      String(HIGH_LIMIT),
    );
    if (code !== 0) throw new Error(`keys update failed: ${stderr}`);
  }
}

async function newKey(stateDir: string, scopes: string, limit: number): Promise<Application> {
  const { id: keyId, key } = await issueKey(stateDir, scopes, limit);
  return { key, keyId, isLimited: limit === SMALL_LIMIT };
}

/** The delays of a server whose disks are busy with other merges: every query is late, and some are very late. */
const USUAL_MS = { from: 50, to: 500 };
const STALL_MS = { from: 2_000, to: 6_000 };
/** After 3 s the service answers a reader of the ledger with an error, so about half of these queries fail. */
const STALLED_SHARE = 0.03;
const SEED = 5;

/**
 * A ClickHouse server that delays every query after it is slowed down: those of the usage service's readers and writer, of
 * market-data and of the workers. Direct queries are not delayed.
 */
async function startSlowClickHouse() {
  const server = await PrivateServer.clickhouse();
  const proxy = await ClickHouseProxy.start(server.url);
  const random = new Random(SEED);
  /** Number of delayed queries, and number of those delayed for seconds. */
  const count = { delayed: 0, stalled: 0 };
  const keepWaiting = () => {
    const stalls = random.chance(STALLED_SHARE);
    count.delayed++;
    if (stalls) count.stalled++;
    const { from, to } = stalls ? STALL_MS : USUAL_MS;
    return sleep(random.between(from, to));
  };
  return {
    /** For the fleet. */
    url: proxy.url,
    count,
    slowDown: () => void (proxy.onQuestion = keepWaiting),
    /** Runs a query for checks of the stored data, without delays. */
    ask: async <Row>(sql: string): Promise<Row[]> => {
      const client = connectClickHouse(server.url);
      try {
        return await clickhouseRows<Row>(client, sql);
      } finally {
        await client.close();
      }
    },
    stop: async () => {
      proxy.stop();
      await server.remove();
    },
  };
}

import { Fleet, SMALL_MARKET, type FleetFile } from '../support/fleets/fleet.ts';
import { issueKey } from '../support/fleets/issued-keys.ts';
import { saring } from '../support/fleets/saring-cli.ts';
import { startSecondGateway } from '../support/fleets/second-gateway.ts';
import type { Application } from './application.ts';
import { SlowClickHouse } from './slow-clickhouse.ts';

const TENANT_SCOPES = 'models:read,models:run,data:read,usage:read';
const HIGH_LIMIT = 1_000_000;
/** Requests a minute at each gateway, which the clients of the limited key exceed. */
const SMALL_LIMIT = 20;
const TENANT_LIMITS = [HIGH_LIMIT, HIGH_LIMIT, HIGH_LIMIT, SMALL_LIMIT];
const WORKERS = '3';

/** A fleet with three workers on a ClickHouse that can be slowed down, behind two gateways, with keys for applications. */
export interface LoadStage {
  fleet: Fleet;
  /** As it was when everything was ready. */
  file: FleetFile;
  clickhouse: SlowClickHouse;
  /** Of both gateways. */
  baseUrls: readonly string[];
  applications: readonly Application[];
  /** May read the usage of every key. */
  admin: Application;
  stop: () => Promise<void>;
}

export async function startLoadStage(): Promise<LoadStage> {
  const clickhouse = await SlowClickHouse.start();
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

/** Lets every application ask as much as it likes. */
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

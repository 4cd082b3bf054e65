import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLICKHOUSE_SERVICES, ON_CLUSTER, type ClickhouseService } from '#clickhouse/service-users.ts';
import {
  serviceUsers,
  startClickhouseServer,
  type ClickhouseOptions,
} from '#local/servers/clickhouse-server.ts';
import type { RunningServer } from '#local/servers/embedded-server.ts';
import { freePort } from '#local/state/ports.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { ANALYST, secretsBy } from './private-server.ts';

const NAME = 'saring';
const SHARDS = 2;
/** The login with all rights, which the servers also use for each other. */
const LOGIN = { user: 'fleet', password: 'fleet-of-a-test' };
const PASSWORDS = secretsBy(CLICKHOUSE_SERVICES);

/** Two servers with one shard each. Their build has no client of ClickHouse Keeper, so the shards cannot have replicas. */
export class ClickhouseCluster {
  readonly #dir: string;
  readonly #options: ClickhouseOptions[];
  readonly #servers: RunningServer[] = [];

  private constructor(dir: string, options: ClickhouseOptions[]) {
    this.#dir = dir;
    this.#options = options;
  }

  static async start(): Promise<ClickhouseCluster> {
    const dir = await mkdtemp(path.join(tmpdir(), 'saring-clickhouse-cluster-'));
    const tcpPorts: number[] = [];
    while (tcpPorts.length < SHARDS) tcpPorts.push(await freePort());
    const users = serviceUsers(PASSWORDS).map(({ permissions, ...user }) => ({
      ...user,
      permissions: { ...permissions!, grants: [...permissions!.grants, ...ON_CLUSTER] },
    }));
    const options: ClickhouseOptions[] = [];
    for (const [index, tcpPort] of tcpPorts.entries()) {
      options.push({
        dir: path.join(dir, String(index)),
        port: await freePort(),
        users: [LOGIN, ...users],
        analyst: ANALYST,
        cluster: { name: NAME, tcpPort, tcpPorts, as: LOGIN },
      });
    }
    const cluster = new ClickhouseCluster(dir, options);
    for (const shard of options.keys()) await cluster.startShard(shard);
    return cluster;
  }

  /** Kills one server, as a crash would. */
  async kill9(shard: number): Promise<void> {
    const { pid, exited } = this.#servers[shard]!;
    process.kill(pid, 'SIGKILL');
    await exited;
  }

  /** Starts a server again on its data and ports. */
  async startShard(shard: number): Promise<void> {
    this.#servers[shard] = await startClickhouseServer(this.#options[shard]!);
  }

  /** The address of the cluster for a user with all rights. */
  get address(): ClickHouseAddress {
    return this.#addressOf(({ url }) => url);
  }

  /** The address with the login and the rights of a service, as in a fleet. */
  addressOf(service: ClickhouseService): ClickHouseAddress {
    return this.#addressOf(({ url }) => {
      const own = new URL(url);
      [own.username, own.password] = [service, PASSWORDS[service]];
      return own.href;
    });
  }

  /** The URL of each server. */
  get nodes(): string[] {
    return this.#servers.map(({ url }) => url);
  }

  /** Stops the servers and removes their data. */
  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    await rm(this.#dir, { recursive: true, force: true });
  }

  #addressOf(urlOf: (server: RunningServer) => string): ClickHouseAddress {
    return { url: this.#servers.map(urlOf).join(','), cluster: { name: NAME, isReplicated: false } };
  }
}

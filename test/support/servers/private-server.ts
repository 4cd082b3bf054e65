import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLICKHOUSE_SERVICES, type ClickhouseService } from '#clickhouse/service-users.ts';
import { NATS_SERVICES, type NatsService } from '#platform/nats/permissions.ts';
import { serviceUsers as clickhouseUsers } from '#local/servers/clickhouse-server.ts';
import { serviceUsers as natsUsers } from '#local/servers/nats-server.ts';
import { freePort } from '#local/state/ports.ts';
import type { RunningServer, ServerOptions } from '#local/servers/embedded-server.ts';
import { hasStopped } from '../processes/signals.ts';
import { startRedisServer } from './redis-server.ts';
import { startClickhouse, startNats } from './stack.ts';

/** Credentials of every private server, which protect nothing. This user has all rights. */
const LOGIN = { user: 'fleet', password: 'fleet-of-a-test' };
const NATS_PASSWORDS = secretsBy(NATS_SERVICES);
const CLICKHOUSE_PASSWORDS = secretsBy(CLICKHOUSE_SERVICES);
export const ANALYST = { user: 'analyst', password: 'analyst-of-a-test' };

type Starter = (options: ServerOptions) => Promise<RunningServer>;

/** A real server for one test file, with an empty store. Tests can kill it and start it again on its data and port. */
export class PrivateServer {
  readonly #options: ServerOptions;
  readonly #starter: Starter;
  #running: RunningServer;
  #isKilled = false;

  private constructor(options: ServerOptions, starter: Starter, running: RunningServer) {
    this.#options = options;
    this.#starter = starter;
    this.#running = running;
  }

  static nats(): Promise<PrivateServer> {
    return PrivateServer.#create('nats', (options) =>
      startNats({ ...options, users: [LOGIN, ...natsUsers(NATS_PASSWORDS)] }),
    );
  }

  static clickhouse(): Promise<PrivateServer> {
    return PrivateServer.#create('clickhouse', (options) =>
      startClickhouse({
        ...options,
        users: [LOGIN, ...clickhouseUsers(CLICKHOUSE_PASSWORDS)],
        analyst: ANALYST,
      }),
    );
  }

  static redis(): Promise<PrivateServer> {
    return PrivateServer.#create('redis', (options) => startRedisServer({ ...options, ...LOGIN }));
  }

  static async #create(name: string, starter: Starter): Promise<PrivateServer> {
    const dir = await mkdtemp(path.join(tmpdir(), `saring-${name}-`));
    const options = { dir, port: await freePort() };
    return new PrivateServer(options, starter, await starter(options));
  }

  /** With the user and password of the user with all rights. */
  get url(): string {
    return this.#running.url;
  }

  /** The URL with the login and the rights of a service, as in a fleet. */
  urlOf(service: NatsService | ClickhouseService): string {
    const url = new URL(this.url);
    [url.username, url.password] = [service, secretsBy([service])[service]];
    return url.href;
  }

  /** Kills the server, as a crash would. */
  async kill9(): Promise<void> {
    this.#isKilled = true;
    process.kill(this.#running.pid, 'SIGKILL');
    await this.#running.exited;
  }

  /**
   * Freezes the server, the worst way to be unavailable: connections stay open and nothing answers. Resolves when every thread has
   * stopped, because until then one may still answer.
   */
  async freeze(): Promise<void> {
    const { pid } = this.#running;
    process.kill(pid, 'SIGSTOP');
    while (!hasStopped(pid)) await sleep(5);
  }

  thaw(): void {
    process.kill(this.#running.pid, 'SIGCONT');
  }

  /** Starts it again after `kill9`. */
  async start(): Promise<void> {
    this.#running = await this.#starter(this.#options);
    this.#isKilled = false;
  }

  /** Removes it and its data, which nothing needs to be written for. */
  async remove(): Promise<void> {
    if (!this.#isKilled) await this.kill9();
    await rm(this.#options.dir, { recursive: true, force: true });
  }
}

/** A secret for each name, long enough for any check. */
export function secretsBy<Name extends string>(names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, `secret-of-${name}-in-tests`])) as Record<
    Name,
    string
  >;
}

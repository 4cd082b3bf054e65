import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { usersConfig } from '#local/servers/clickhouse-config.ts';
import { clickhouseProcess, type ClickhouseOptions } from '#local/servers/clickhouse-server.ts';
import type { RunningServer, ServerOptions } from '#local/servers/embedded-server.ts';
import { natsProcess, type NatsOptions } from '#local/servers/nats-server.ts';
import { postgresProcess, postgresUrl, type PostgresOptions } from '#local/servers/postgres-server.ts';
import type { ProcessSpec } from '#local/processes/launch.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { waitFor } from '#platform/process/waiting.ts';
import { REPOSITORY } from '../repository.ts';
import { requireImage } from './required-image.ts';

/** The images of the compose file, or those that the environment names. */
const IMAGES = {
  nats: process.env['TEST_NATS_IMAGE'] ?? 'docker.io/library/nats:2.14',
  postgres: process.env['TEST_POSTGRES_IMAGE'] ?? 'docker.io/library/postgres:18',
  clickhouse: process.env['TEST_CLICKHOUSE_IMAGE'] ?? 'docker.io/clickhouse/clickhouse-server:26.7',
};

/** The same time limit as for an embedded server; after it the container is killed. */
const STOP_WITHIN_S = 8;

interface Contained {
  image: string;
  /** The port on which it listens inside. */
  port: number;
  /** The probe from outside that shows whether it is ready. */
  probe: Pick<ProcessSpec, 'title' | 'probe'>;
  url: string;
  command?: string[];
  env?: Record<string, string>;
  /** Paths on this machine, by their paths inside. */
  mounts: Record<string, string>;
}

/** The configuration declares the users of NATS. It is mounted together with the folder of the messages. */
export async function startNatsContainer(options: NatsOptions): Promise<RunningServer> {
  const { dir, port, users } = options;
  const spec = natsProcess(options);
  await spec.prepare!();
  const { user, password } = users[0]!;
  return startContainer(options, {
    image: IMAGES.nats,
    port,
    probe: spec,
    url: `nats://${user}:${password}@127.0.0.1:${port}`,
    command: [...spec.args, '--addr', '0.0.0.0'],
    mounts: { [dir]: dir },
  });
}

export function startPostgresContainer(options: PostgresOptions): Promise<RunningServer> {
  const { dir, user, password, database } = options;
  return startContainer(options, {
    image: IMAGES.postgres,
    port: 5432,
    probe: postgresProcess(options),
    url: postgresUrl(options),
    env: {
      POSTGRES_USER: user,
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: database,
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
    },
    mounts: { '/var/lib/postgresql': path.join(dir, 'data') },
  });
}

export function startClickhouseContainer(options: ClickhouseOptions): Promise<RunningServer> {
  const { dir, port, users, analyst } = options;
  mkdirSync(dir, { recursive: true });
  const usersFile = path.join(dir, 'users.xml');
  writeFileSync(usersFile, usersConfig({ users, analyst, fromAnywhere: true }));
  const { user, password } = users[0]!;
  return startContainer(options, {
    image: IMAGES.clickhouse,
    port: 8123,
    probe: clickhouseProcess(options),
    url: `http://${user}:${password}@127.0.0.1:${port}`,
    mounts: {
      '/etc/clickhouse-server/config.d/saring.xml': path.join(REPOSITORY, 'deploy/compose/clickhouse.xml'),
      '/etc/clickhouse-server/users.d/saring.xml': usersFile,
      '/var/lib/clickhouse': path.join(dir, 'data'),
    },
  });
}

/** The container's process is visible on this machine, so tests kill and freeze it like an embedded server. */
async function startContainer(
  { port: outside }: ServerOptions,
  contained: Contained,
): Promise<RunningServer> {
  const { image, port, probe, url, command = [], env = {}, mounts } = contained;
  const binds = Object.entries(mounts).map(([target, source]) => ({ source, target }));
  for (const { source } of binds) if (!path.extname(source)) mkdirSync(source, { recursive: true });
  const { container: engine } = await getContainerRuntimeClient();
  await requireImage(engine.dockerode, image);
  const container = await new GenericContainer(image)
    .withExposedPorts({ container: port, host: outside })
    .withCommand(command)
    .withEnvironment(env)
    .withBindMounts(binds)
    // No wait strategy: the probe below waits, as for an embedded server.
    .withWaitStrategy(Wait.forAll([]))
    .start();
  const handle = engine.getById(container.getId());
  const exited = handle.wait().then(async ({ StatusCode }: { StatusCode: number }) => {
    // Wait for the removal, so that the container's name and port are free when it counts as gone.
    await handle.remove({ force: true }).catch(() => {});
    return { code: StatusCode, signal: null };
  });
  const stop = async () => {
    // Stopping a container that has already ended fails.
    await handle.stop({ t: STOP_WITHIN_S }).catch(() => {});
    return exited;
  };
  try {
    const { title } = probe;
    await waitFor(title, probe.probe, { log: createLogger('test', 'silent') });
    const { State } = await handle.inspect();
    return { url, port: outside, pid: State.Pid, stop, exited };
  } catch (error) {
    await stop();
    throw error;
  }
}

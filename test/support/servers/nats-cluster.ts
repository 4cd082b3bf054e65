import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { freePort } from '#local/state/ports.ts';
import type { RunningServer } from '#local/servers/embedded-server.ts';
import { startNatsServer, type NatsOptions } from '#local/servers/nats-server.ts';
import { natsOptions } from '#platform/nats/connection.ts';

const LOGIN = { user: 'fleet', password: 'fleet-of-a-test' };
const SIZE = 3;
const STREAMS = ['RUNS', 'RUN_EVENTS', 'RESULTS', 'USAGE', 'DATASETS'];

/** Three NATS servers on this machine that keep three replicas of every stream. */
export class NatsCluster {
  readonly #dir: string;
  readonly #nodes: NatsOptions[];
  readonly #running: RunningServer[];

  private constructor(dir: string, nodes: NatsOptions[], running: RunningServer[]) {
    this.#dir = dir;
    this.#nodes = nodes;
    this.#running = running;
  }

  static async start(): Promise<NatsCluster> {
    const dir = await mkdtemp(path.join(tmpdir(), 'saring-nats-cluster-'));
    const routes = await Promise.all(Array.from({ length: SIZE }, () => freePort()));
    const nodes = await Promise.all(
      routes.map(async (port, index): Promise<NatsOptions> => {
        const name = `node-${index + 1}`;
        return {
          dir: path.join(dir, name),
          port: await freePort(),
          users: [LOGIN],
          cluster: { name, port, routes },
        };
      }),
    );
    return new NatsCluster(dir, nodes, await Promise.all(nodes.map(startNatsServer)));
  }

  /** URLs of every node, with user and password. */
  get urls(): string {
    return this.#running.map(({ url }) => url).join();
  }

  get size(): number {
    return this.#nodes.length;
  }

  get ports(): number[] {
    return this.#nodes.map(({ port }) => port);
  }

  async kill9(index: number): Promise<void> {
    process.kill(this.#running[index]!.pid, 'SIGKILL');
    await this.#running[index]!.exited;
  }

  async restart(index: number): Promise<void> {
    this.#running[index] = await startNatsServer(this.#nodes[index]!);
  }

  /** Kills all nodes at the same time and starts them again. */
  async crash(): Promise<void> {
    await Promise.all(this.#nodes.map((_, index) => this.kill9(index)));
    await Promise.all(this.#nodes.map((_, index) => this.restart(index)));
  }

  /** Index of the node that leads the stream. */
  async leaderOf(stream: string): Promise<number> {
    const { cluster } = await this.#info(stream);
    return this.#nodes.findIndex((node) => node.cluster!.name === cluster?.leader);
  }

  /** How many nodes have all of each stream; 0 for a stream about which no node answers. */
  async copies(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const stream of STREAMS) counts[stream] = await this.#copiesOf(stream).catch(() => 0);
    return counts;
  }

  async #copiesOf(stream: string): Promise<number> {
    const { cluster } = await this.#info(stream);
    return 1 + (cluster?.replicas ?? []).filter(({ current, offline }) => current && !offline).length;
  }

  async #info(stream: string): Promise<StreamInfo> {
    const connection = await connect(natsOptions(this.urls, 'test'));
    try {
      return await (await jetstreamManager(connection)).streams.info(stream);
    } finally {
      await connection.close();
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.#running.map((server) => server.stop()));
    await rm(this.#dir, { recursive: true, force: true });
  }
}

import { mkdir } from 'node:fs/promises';
import { freePort } from '#local/state/ports.ts';
import { byProcess, Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { COPIED, SecondCopies } from '#support/fleets/second-copies.ts';
import { startSecondGateway, type SecondGateway } from '#support/fleets/second-gateway.ts';
import { signal } from '#support/processes/signals.ts';
import { NatsCluster } from '#support/servers/nats-cluster.ts';
import { startNetwork, type FleetNetwork } from './network.ts';
import { NodeOutages } from './node-outages.ts';

const SECOND = 'second ';
const REPLICATED = { STREAM_REPLICAS: '3' };

/**
 * The fleet under chaos. Either one process of each kind, or, with `redundant`, two of every service and of the gateway on
 * three NATS nodes, one of which is down nearly all the time.
 */
export class ChaosStage {
  readonly network: FleetNetwork;
  readonly #env: Record<string, string>;
  readonly #nodes: NatsCluster | undefined;
  readonly #secondPort: string;
  #outages: NodeOutages | undefined;
  #killedBefore = 0;
  #fleet: Fleet | undefined;
  #copies: SecondCopies | undefined;
  #gateway: SecondGateway | undefined;

  private constructor(
    env: Record<string, string>,
    network: FleetNetwork,
    second: string,
    nodes?: NatsCluster,
  ) {
    [this.#env, this.network, this.#secondPort, this.#nodes] = [env, network, second, nodes];
  }

  static async start(options: { stateDir: string; redundant: boolean }): Promise<ChaosStage> {
    const nodes = options.redundant ? await NatsCluster.start() : undefined;
    const network = await startNetwork(nodes?.ports);
    const env = {
      ...SMALL_MARKET,
      ...network.env,
      PORT: String(await freePort()),
      STATE_DIR: options.stateDir,
      ...(nodes && { NATS_URL: nodes.urls, ...REPLICATED }),
    };
    const stage = new ChaosStage(env, network, String(await freePort()), nodes);
    try {
      await stage.startFleet();
      return stage;
    } catch (error) {
      await stage.stop();
      throw error;
    }
  }

  get fleet(): Fleet {
    if (!this.#fleet) throw new Error('the fleet does not run');
    return this.#fleet;
  }

  /** The URL of every gateway. */
  get baseUrls(): string[] {
    const ports = [this.#env['PORT']!, ...(this.#nodes ? [this.#secondPort] : [])];
    return ports.map((port) => `http://127.0.0.1:${port}`);
  }

  get nodesKilled(): number {
    return this.#killedBefore + (this.#outages?.count ?? 0);
  }

  /** Starts everything on the existing state. */
  async startFleet(): Promise<void> {
    this.#fleet = undefined;
    await mkdir(this.#env['STATE_DIR']!, { recursive: true });
    await this.network.settle(this.#env['STATE_DIR']!);
    this.#fleet = await Fleet.start(this.#env);
    if (!this.#nodes) return;
    if (this.#copies) await this.#copies.startAll();
    else this.#copies = await SecondCopies.start(this.#fleet, { settings: REPLICATED });
    await this.#startGateway();
    this.#outages = new NodeOutages(this.#nodes);
  }

  /** Process ids by the services in the process, including those of the second copies. */
  async pids(): Promise<Record<string, number>> {
    const { pids } = await this.fleet.file();
    const second = Object.entries(this.#copies?.pids ?? {});
    return {
      ...byProcess(pids),
      ...Object.fromEntries(second.map(([name, pid]) => [`${SECOND}${name}`, pid])),
      ...(this.#gateway && { [`${SECOND}gateway`]: this.#gateway.pid }),
    };
  }

  /** Restarts a second copy that was killed. The fleet restarts its own processes itself. */
  async replace(name: string): Promise<void> {
    if (!name.startsWith(SECOND)) return;
    const copied = COPIED.find((each) => name === `${SECOND}${each}`);
    if (copied) await this.#copies!.restart(copied);
    else await this.#startGateway();
  }

  /** Runs the work while at most one NATS node is down and no other is killed. */
  async withOneNodeDead<T>(work: () => Promise<T>): Promise<T> {
    const release = this.#outages?.hold();
    try {
      return await work();
    } finally {
      release?.();
    }
  }

  /** Kills every process at the same moment, including the supervisor and the NATS nodes. */
  async crash(): Promise<void> {
    const pids = Object.values(await this.pids());
    await this.#endOutages();
    for (const pid of [this.fleet.pid, ...pids]) signal(pid, 'SIGKILL');
    await this.#nodes?.crash();
  }

  async stop(): Promise<void> {
    try {
      await this.#endOutages();
    } finally {
      await this.#gateway?.stop();
      await this.#copies?.stop();
      await this.#fleet?.stop({ keepState: true });
      await this.#nodes?.remove();
      this.network.stop();
    }
  }

  async #endOutages(): Promise<void> {
    await this.#outages?.stop();
    this.#killedBefore = this.nodesKilled;
    this.#outages = undefined;
  }

  async #startGateway(): Promise<void> {
    const file = { ...(await this.fleet.file()), addresses: this.#copies!.addresses };
    this.#gateway = await startSecondGateway(file, { PORT: this.#secondPort });
  }
}

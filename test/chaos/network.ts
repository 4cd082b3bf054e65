import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#local/state/ports.ts';
import type { Random } from '#quant/random.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

/** The connections of each process, by its program and by the names under which a fleet stores its ports. */
const LINKS = {
  'build/gateway.js': [
    'nats',
    'keys',
    'market-data',
    'models',
    'usage',
    'consent',
    'screens',
    'webhooks',
    'scheduler',
    'feed',
  ],
  'build/services.js': ['nats', 'postgres', 'clickhouse', 'market-data', 'keys', 'models', 'usage'],
  'build/keys.js': ['nats', 'postgres'],
  'build/market-data.js': ['nats', 'clickhouse'],
  'build/usage.js': ['nats', 'clickhouse'],
  'build/models.js': ['nats', 'postgres', 'market-data', 'usage'],
  'build/consent.js': ['postgres'],
  'build/scheduler.js': ['postgres', 'market-data', 'keys', 'models'],
  'build/screens.js': ['nats', 'postgres', 'market-data', 'models'],
  'build/feed.js': ['nats', 'postgres', 'market-data'],
  'build/webhooks.js': ['nats', 'postgres'],
  'build/model-worker.js': ['nats', 'clickhouse'],
};
const DETOUR = fileURLToPath(new URL('../support/servers/detour.ts', import.meta.url));
/** A little less than the deadlines of callers, so that some calls fail and others succeed. */
const MAX_DELAY_MS = 3_000;

interface Link {
  /** As in `models → nats`. */
  name: string;
  program: string;
  port: number;
  proxy: TcpProxy;
}

/** The connections between the processes of a fleet, each through its own proxy. */
export class FleetNetwork {
  readonly #ports: Record<string, number>;
  readonly #links: Link[];

  private constructor(ports: Record<string, number>, links: Link[]) {
    this.#ports = ports;
    this.#links = links;
  }

  /** @param natsPorts ports of an external NATS; without them the fleet starts its own */
  static async start(natsPorts?: readonly number[]): Promise<FleetNetwork> {
    const ports: Record<string, number> = {};
    for (const name of new Set(Object.values(LINKS).flat()))
      if (name !== 'nats' || !natsPorts) ports[name] = await freePort();
    const portsOf = (name: string) => (name === 'nats' && natsPorts) || [ports[name]!];
    const links: Link[] = [];
    for (const [program, names] of Object.entries(LINKS))
      for (const to of names)
        for (const port of portsOf(to)) {
          const proxy = await TcpProxy.start(`tcp://127.0.0.1:${port}`);
          links.push({ name: `${path.basename(program, '.js')} → ${to}`, program, port, proxy });
        }
    return new FleetNetwork(ports, links);
  }

  /** The environment with which a fleet's processes use these connections. */
  get env(): { NODE_OPTIONS: string; SARING_TEST_DETOURS: string } {
    const detours = Object.groupBy(this.#links, ({ program }) => program);
    const proxies = Object.entries(detours).map(([program, links]) => [
      program,
      Object.fromEntries(links!.map(({ port, proxy }) => [port, proxy.port])),
    ]);
    return {
      NODE_OPTIONS: `--import ${DETOUR}`,
      SARING_TEST_DETOURS: JSON.stringify(Object.fromEntries(proxies)),
    };
  }

  /** Writes these ports into the state directory, where the fleet finds the ports of its last start. */
  async settle(stateDir: string): Promise<void> {
    await writeFile(path.join(stateDir, 'ports.json'), JSON.stringify(this.#ports));
  }

  /** Breaks a random connection in a random way, then mends it. Returns what it did. */
  async strike(random: Random, longestMs: number): Promise<string> {
    const { name, proxy } = this.#links[random.below(this.#links.length)]!;
    const ways: [string, () => void][] = [
      ['slow', () => proxy.slow(random.between(50, MAX_DELAY_MS))],
      ['cut', () => proxy.cut()],
      ['hold', () => proxy.hold()],
      ['lose', () => proxy.silence()],
    ];
    const [way, begin] = ways[random.below(ways.length)]!;
    begin();
    // Lost connections stay lost: the processes that use them must find out themselves.
    if (way !== 'lose') await sleep(random.between(500, longestMs));
    proxy.mend();
    return `${way} ${name}`;
  }

  stop(): void {
    for (const { proxy } of this.#links) proxy.stop();
  }
}

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#local/state/ports.ts';
import type { Random } from '#quant/random.ts';
import { TcpProxy } from '../support/servers/tcp-proxy.ts';

/** Which process of a fleet connects to which, by its program and by the names under which a fleet keeps its ports. */
const LINKS = {
  'gateway/main.ts': ['nats', 'keys', 'market-data', 'models', 'usage', 'consent', 'scheduler'],
  'services/keys/main.ts': ['nats', 'postgres'],
  'services/market-data/main.ts': ['nats', 'clickhouse'],
  'services/usage/main.ts': ['nats', 'clickhouse'],
  'services/models/main.ts': ['nats', 'postgres', 'market-data', 'usage'],
  'services/consent/main.ts': ['postgres'],
  'services/scheduler/main.ts': ['postgres', 'market-data', 'keys', 'models'],
  'services/model-worker/main.ts': ['nats', 'clickhouse'],
};
const DETOUR = fileURLToPath(new URL('../support/servers/detour.ts', import.meta.url));
/** A little under what callers wait for, so that calls fail as well as succeed. */
const MAX_DELAY_MS = 3_000;

interface Link {
  /** As in `models → nats`. */
  name: string;
  program: string;
  port: number;
  proxy: TcpProxy;
}

/** The connections between the processes of a fleet, each by way of a proxy of its own. */
export class FleetNetwork {
  readonly #ports: Record<string, number>;
  readonly #links: Link[];

  private constructor(ports: Record<string, number>, links: Link[]) {
    this.#ports = ports;
    this.#links = links;
  }

  /** @param natsPorts of a NATS that the fleet is given; without, it has one of its own */
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
          links.push({ name: `${program.split('/').at(-2)} → ${to}`, program, port, proxy });
        }
    return new FleetNetwork(ports, links);
  }

  /** What a fleet is started with, so that its processes take these connections. */
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

  /** Gives the fleet of a state directory, which keeps the ports of its last start, the ports of these connections. */
  async settle(stateDir: string): Promise<void> {
    await writeFile(path.join(stateDir, 'ports.json'), JSON.stringify(this.#ports));
  }

  /** Breaks one random connection in one random way, and mends it. Returns what it did. */
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
    // Nothing mends connections that are lost: whoever has them finds out by itself.
    if (way !== 'lose') await sleep(random.between(500, longestMs));
    proxy.mend();
    return `${way} ${name}`;
  }

  stop(): void {
    for (const { proxy } of this.#links) proxy.stop();
  }
}

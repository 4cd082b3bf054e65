import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LAYOUTS, processTable, serviceTable } from '#local/configuration/service-table.ts';
import { freePort } from '#local/state/ports.ts';
import type { Random } from '#quant/random.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

const STORES: Record<string, string> = {
  NATS_URL: 'nats',
  DATABASE_URL: 'postgres',
  CLICKHOUSE_URL: 'clickhouse',
};
/** The program of every process and what it connects to, as its settings say, under the names of a fleet's ports. */
const LINKS = LAYOUTS.flatMap((layout) => processTable(serviceTable({ workers: 1 }), layout)).map(
  ({ entry, services }) => {
    const settings = services.flatMap((service) => service.settings);
    return [entry, new Set(settings.map(portNameOf).filter((name) => name !== undefined))] as const;
  },
);

function portNameOf(setting: string): string | undefined {
  return STORES[setting] ?? /^(\w+)_ADDRESS$/.exec(setting)?.[1]!.toLowerCase().replaceAll('_', '-');
}

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

export type FleetNetwork = Awaited<ReturnType<typeof startNetwork>>;

/**
 * The connections between the processes of a fleet, each through its own proxy.
 * @param natsPorts ports of an external NATS; without them the fleet starts its own
 */
export async function startNetwork(natsPorts?: readonly number[]) {
  const ports: Record<string, number> = {};
  for (const name of new Set(LINKS.flatMap(([, names]) => [...names])))
    if (name !== 'nats' || !natsPorts) ports[name] = await freePort();
  const portsOf = (name: string) => (name === 'nats' && natsPorts) || [ports[name]!];
  const links: Link[] = [];
  for (const [program, names] of new Map(LINKS))
    for (const to of names)
      for (const port of portsOf(to)) {
        const proxy = await TcpProxy.start(`tcp://127.0.0.1:${port}`);
        links.push({ name: `${path.basename(program, '.js')} → ${to}`, program, port, proxy });
      }
  return {
    /** The environment with which a fleet's processes use these connections. */
    env: { NODE_OPTIONS: `--import ${DETOUR}`, SARING_TEST_DETOURS: JSON.stringify(detoursOf(links)) },
    /** Writes these ports into the state directory, where the fleet finds the ports of its last start. */
    settle: (stateDir: string) => writeFile(path.join(stateDir, 'ports.json'), JSON.stringify(ports)),
    strike: (random: Random, longestMs: number) => strike(links, random, longestMs),
    stop: () => links.forEach(({ proxy }) => proxy.stop()),
  };
}

/** The port of the proxy by that of the connection, by program. */
function detoursOf(links: readonly Link[]): Record<string, Record<string, number>> {
  const byProgram = Map.groupBy(links, ({ program }) => program);
  const proxies = [...byProgram].map(
    ([program, own]) =>
      [program, Object.fromEntries(own.map(({ port, proxy }) => [port, proxy.port]))] as const,
  );
  return Object.fromEntries(proxies);
}

/** Breaks a random connection in a random way, then mends it. Returns what it did. */
async function strike(links: readonly Link[], random: Random, longestMs: number): Promise<string> {
  const { name, proxy } = links[random.below(links.length)]!;
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

import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#local/state/ports.ts';
import type { FleetFile } from '#support/fleets/fleet.ts';
import { flood, FLOODING_CONNECTIONS, FLOODS } from '#support/rest/pipelining-client.ts';
import { Rest } from '#support/rest/rest.ts';
import { scrape, sumOf } from '#support/fleets/scrape.ts';
import { startSecondGateway } from '#support/fleets/second-gateway.ts';
import { residentMiB } from '#support/measuring/processes.ts';
import type { Figure } from '#support/measuring/report.ts';

const WATCHED_MS = 5_000;
const POLL_PAUSE_MS = 20;
/** The usual work, so that the memory it takes is not counted. */
const WARM_UP = 1_000;

/**
 * How long unauthenticated clients hold up a gateway, and how much memory they take: connections that pipeline thousands of
 * requests and read no response. Each kind has a gateway of its own, because a spent budget stays spent for a minute.
 */
export async function unauthenticatedFigures(fleet: FleetFile, key: string): Promise<Figure[]> {
  const floods = Object.entries(FLOODS);
  const measured: Flooded[] = [];
  for (const [, bytesOf] of floods) measured.push(await flooded(fleet, key, bytesOf));
  const kinds = floods.map(([kind]) => kind).join('; ');
  const each = (of: (one: Flooded) => number) => measured.map((one) => of(one).toFixed(0)).join('; ');
  return [
    {
      what: `gateway held up at most by ${FLOODING_CONNECTIONS} connections that pipeline 20,000 requests each: ${kinds}`,
      measured: `${each(({ heldUpMs }) => heldUpMs)} ms`,
      bar: '< 250 ms',
    },
    {
      what: '... growth of its memory',
      measured: `${each(({ grownByMiB }) => grownByMiB)} MiB`,
      bar: '< 100 MiB',
    },
  ];
}

interface Flooded {
  /** The longest turn of the event loop. */
  heldUpMs: number;
  grownByMiB: number;
}

async function flooded(fleet: FleetFile, key: string, bytesOf: (connection: number) => string) {
  const opsPort = await freePort();
  const gateway = await startSecondGateway(fleet, { OPS_PORT: String(opsPort) });
  const heldUpMs = async () => {
    const samples = await scrape(`http://127.0.0.1:${opsPort}`);
    return 1_000 * sumOf(samples, 'nodejs_eventloop_lag_max_seconds')!;
  };
  const memoryMiB = () => residentMiB({ gateway: gateway.pid }).get('gateway')!;
  try {
    const rest = new Rest(gateway.baseUrl, key);
    for (let request = 0; request < WARM_UP; request++) await rest.get('/api/v1/scopes');
    // The metric is the longest since the last scrape.
    await heldUpMs();
    const before = memoryMiB();
    const sockets = flood(gateway.baseUrl, FLOODING_CONNECTIONS, bytesOf);
    let most = before;
    for (const endsAt = performance.now() + WATCHED_MS; performance.now() < endsAt;) {
      most = Math.max(most, memoryMiB());
      await sleep(POLL_PAUSE_MS);
    }
    const seen: Flooded = { heldUpMs: await heldUpMs(), grownByMiB: most - before };
    for (const socket of sockets) socket.destroy();
    return seen;
  } finally {
    await gateway.stop();
  }
}

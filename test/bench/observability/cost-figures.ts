import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { freePort } from '#local/state/ports.ts';
import type { FleetFile } from '#support/fleets/fleet.ts';
import { startSecondGateway, type SecondGateway } from '#support/fleets/second-gateway.ts';
import { processorSeconds } from '#support/measuring/processes.ts';
import { quantile, type Figure } from '#support/measuring/report.ts';

/** Odd, so that there is a median round. */
const ROUNDS = 7;
const REQUESTS = 5_000;
const WARM_UP = 1_500;
const CONNECTIONS = 64;
const SCRAPE_EVERY_MS = 1_000;
const UNMEASURED = fileURLToPath(new URL('unmeasured.ts', import.meta.url));

/**
 * The additional CPU time of metrics and of traces for the cheapest request: quotes that a gateway answers from memory. Three
 * gateways for the same services take turns within each round. The first records nothing and has no operations port; the second
 * records metrics and is scraped every second; the third also sends a span for every request. A gateway has one thread, so CPU
 * time per request limits its rate. Unlike the rate, it does not depend on other work of the machine.
 */
export async function observabilityFigures(fleet: FleetFile, key: string, ticker: string): Promise<Figure[]> {
  const [sinkPort, measuredOps, tracedOps] = [await freePort(), await freePort(), await freePort()];
  const sink = fork(new URL('./trace-sink.ts', import.meta.url), [String(sinkPort)]);
  const gateways: SecondGateway[] = [];
  let scraping: NodeJS.Timeout | undefined;
  try {
    await new Promise((resolve) => sink.once('message', resolve));
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${sinkPort}` };
    for (const settings of [
      { BENCH_UNMEASURED: 'true' },
      { OPS_PORT: String(measuredOps) },
      { OPS_PORT: String(tracedOps), ...collector },
    ])
      gateways.push(await startSecondGateway(fleet, { NODE_OPTIONS: `--import ${UNMEASURED}`, ...settings }));
    scraping = setInterval(() => {
      for (const port of [measuredOps, tracedOps])
        void fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text());
    }, SCRAPE_EVERY_MS);
    const rounds = await roundsOf(gateways, `/api/v1/data/quotes?tickers=${ticker}`, key);
    const measured = rounds.map(([bare, counted]) => 1 - bare! / counted!);
    const traced = rounds.map(([, counted, sent]) => 1 - counted! / sent!);
    return [
      shareFigure('metrics, scraped every second: share of a quote from memory', measured, '< 2 %'),
      shareFigure('traces, a span of every request: share of such a quote', traced),
      {
        what: 'processor of such a quote: nothing measured; metrics; metrics and traces',
        measured: `${gateways.map((_, which) => medianOf(rounds.map((round) => round[which]!))).join('; ')} µs`,
      },
    ];
  } finally {
    clearInterval(scraping);
    sink.kill();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  }
}

/**
 * Microseconds a request for each gateway, by round. The order changes with each round, so no gateway always follows the same
 * one.
 */
async function roundsOf(gateways: SecondGateway[], path: string, key: string): Promise<number[][]> {
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const costs: number[] = [];
    for (const index of gateways.map((_, place) => (place + round) % gateways.length))
      costs[index] = await processorOf(gateways[index]!, path, key);
    rounds.push(costs);
  }
  return rounds;
}

async function processorOf({ baseUrl, pid }: SecondGateway, path: string, key: string): Promise<number> {
  const options = {
    url: baseUrl + path,
    headers: { authorization: `Bearer ${key}` },
    connections: CONNECTIONS,
  };
  await autocannon({ ...options, amount: WARM_UP });
  const before = processorSeconds(pid);
  const { non2xx, errors } = await autocannon({ ...options, amount: REQUESTS });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} of the requests to ${path} failed`);
  return (1e6 * (processorSeconds(pid) - before)) / REQUESTS;
}

const medianOf = (costs: number[]) => quantile(costs, 0.5).toFixed(0);

function shareFigure(what: string, shares: number[], bar?: string): Figure {
  const [least, middle, most] = [0, 0.5, 1].map((q) => `${(100 * quantile(shares, q)).toFixed(1)} %`);
  return { what, measured: `${middle}, of ${ROUNDS} rounds ${least} to ${most}`, ...(bar && { bar }) };
}

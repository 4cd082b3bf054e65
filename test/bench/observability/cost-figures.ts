import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '#local/state/ports.ts';
import type { FleetFile } from '#support/fleets/fleet.ts';
import { startSecondGateway, type SecondGateway } from '#support/fleets/second-gateway.ts';
import { quantile } from '../quantiles.ts';
import type { Figure } from '../report.ts';
import { requestsPerSecond } from '../throughput.ts';

/** Odd, so that there is a middle one. */
const ROUNDS = 9;
const SCRAPE_EVERY_MS = 1_000;
const UNMEASURED = fileURLToPath(new URL('unmeasured.ts', import.meta.url));

/**
 * What metrics and traces take from the rate of quotes that a gateway answers from its memory, which is the highest there
 * is: three gateways before the same services, asked in turn within each round. The first counts nothing and has no
 * operations port; the second counts and is scraped every second; the third also sends a span of every request.
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
      { NODE_OPTIONS: `--import ${UNMEASURED}` },
      { OPS_PORT: String(measuredOps) },
      { OPS_PORT: String(tracedOps), ...collector },
    ])
      gateways.push(await startSecondGateway(fleet, { LOG_LEVEL: 'warn', ...settings }));
    scraping = setInterval(() => {
      for (const port of [measuredOps, tracedOps])
        void fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
    }, SCRAPE_EVERY_MS);
    const urls = gateways.map(({ baseUrl }) => `${baseUrl}/api/v1/data/quotes?tickers=${ticker}`);
    const rounds = await roundsOf(urls, key);
    const measured = rounds.map(([bare, counted]) => 1 - counted! / bare!);
    const traced = rounds.map(([, counted, sent]) => 1 - sent! / counted!);
    return [
      shareFigure(
        'metrics, scraped every second: share of the rate of quotes from memory',
        measured,
        '< 2 %',
      ),
      shareFigure('traces, a span of every request: share of what is left', traced),
    ];
  } finally {
    clearInterval(scraping);
    sink.kill();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  }
}

/** The rates of all within each round, whose order changes, so that none always comes after the same. */
async function roundsOf(urls: string[], key: string): Promise<number[][]> {
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rates: number[] = [];
    const order = urls.map((_, index) => (index + round) % urls.length);
    for (const index of order)
      rates[index] = await requestsPerSecond(urls[index]!, { authorization: `Bearer ${key}` });
    rounds.push(rates);
  }
  return rounds;
}

function shareFigure(what: string, shares: number[], bar?: string): Figure {
  const [least, middle, most] = [0, 0.5, 1].map((q) => `${(100 * quantile(shares, q)).toFixed(1)} %`);
  return { what, measured: `${middle}, of ${ROUNDS} rounds ${least} to ${most}`, ...(bar && { bar }) };
}

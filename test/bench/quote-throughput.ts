import { fork } from 'node:child_process';
import autocannon from 'autocannon';
import { freePort } from '#local/ports.ts';
import type { Figure } from './report.ts';
import type { Gateways } from './second-gateway.ts';

const SECONDS = 6;
const CONNECTIONS = 64;

/**
 * Authenticated quotes against a bare Express on the same machine, in turn: through a gateway that asks the service each
 * time, and through one that keeps answers.
 */
export async function quoteFigures(
  { asking, keeping }: Gateways,
  key: string,
  ticker: string,
): Promise<Figure[]> {
  const port = await freePort();
  const bare = fork(new URL('./bare-express.ts', import.meta.url), [String(port)]);
  try {
    await new Promise((resolve) => bare.once('message', resolve));
    const path = `/api/v1/data/quotes?tickers=${ticker}`;
    const keyed = { authorization: `Bearer ${key}` };
    const [before, asked, between, kept, after] = [
      await requestsPerSecond(`http://127.0.0.1:${port}/`),
      await requestsPerSecond(asking + path, keyed),
      await requestsPerSecond(`http://127.0.0.1:${port}/`),
      await requestsPerSecond(keeping + path, keyed),
      await requestsPerSecond(`http://127.0.0.1:${port}/`),
    ];
    return [
      figure('when the service answers', asked, (before + between) / 2, '≥ 30 %'),
      figure('answered before', kept, (between + after) / 2, '≥ 50 %'),
    ];
  } finally {
    bare.kill();
  }
}

function figure(when: string, quotes: number, bareRate: number, bar: string): Figure {
  return {
    what: `authenticated quotes / bare Express, ${when} (${CONNECTIONS} connections, req/s)`,
    measured: `${quotes.toFixed(0)} / ${bareRate.toFixed(0)} = ${((100 * quotes) / bareRate).toFixed(0)} %`,
    bar,
  };
}

async function requestsPerSecond(url: string, headers: Record<string, string> = {}): Promise<number> {
  const options = { url, headers, connections: CONNECTIONS, duration: SECONDS };
  await autocannon({ ...options, duration: 1 });
  const result = await autocannon(options);
  if (result.non2xx > 0) throw new Error(`${result.non2xx} of the requests to ${url} were refused`);
  return result.requests.average;
}

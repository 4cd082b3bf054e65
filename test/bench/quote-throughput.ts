import { fork } from 'node:child_process';
import autocannon from 'autocannon';
import { freePort } from '#local/ports.ts';
import { quantile } from './quantiles.ts';
import type { Figure } from './report.ts';
import type { Gateways } from './gateways.ts';

const SECONDS = 2;
const CONNECTIONS = 64;
/** Short rounds in turn, of which the middle one counts: what else the machine does meanwhile meets all of them. */
const ROUNDS = 5;

interface Round {
  quotesRate: number;
  bareRate: number;
}

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
    const [asked, kept]: [Round[], Round[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const bareRate = await requestsPerSecond(`http://127.0.0.1:${port}/`);
      asked.push({ bareRate, quotesRate: await requestsPerSecond(asking + path, keyed) });
      kept.push({ bareRate, quotesRate: await requestsPerSecond(keeping + path, keyed) });
    }
    return [figure('when the service answers', asked, '≥ 30 %'), figure('answered before', kept, '≥ 50 %')];
  } finally {
    bare.kill();
  }
}

function figure(when: string, rounds: Round[], bar: string): Figure {
  const shares = rounds.map(({ quotesRate, bareRate }) => quotesRate / bareRate);
  const middle = rounds[shares.indexOf(quantile(shares, 0.5))]!;
  const rates = `${middle.quotesRate.toFixed(0)} / ${middle.bareRate.toFixed(0)}`;
  return {
    what: `authenticated quotes / bare Express, ${when} (${CONNECTIONS} connections, req/s)`,
    measured: `${rates} = ${percent(quantile(shares, 0.5))}, of ${ROUNDS} rounds ${percent(quantile(shares, 0))} to ${percent(quantile(shares, 1))}`,
    bar,
  };
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

async function requestsPerSecond(url: string, headers: Record<string, string> = {}): Promise<number> {
  const options = { url, headers, connections: CONNECTIONS };
  await autocannon({ ...options, duration: 1 });
  const result = await autocannon({ ...options, duration: SECONDS });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} of the requests to ${url} were refused`);
  return result.requests.average;
}

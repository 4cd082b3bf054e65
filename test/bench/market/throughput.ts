import { fork } from 'node:child_process';
import { freePort } from '#local/state/ports.ts';
import { CONNECTIONS, loadOn } from '#support/measuring/loads.ts';
import { quantile, type Figure } from '#support/measuring/report.ts';
import type { Gateways } from './data-latency.ts';

const SECONDS = 2;
/** Short alternating rounds, so that other work of the machine affects all of them alike. The median counts. */
const ROUNDS = 5;

interface Round {
  rate: number;
  bareRate: number;
}

/**
 * Authenticated requests compared with a bare Express on the same machine, in alternating rounds: quotes through a gateway that
 * calls the service each time and through one that caches answers, and the scope table, which needs no service and shows the
 * fixed cost of every request.
 */
export async function throughputFigures(
  { asking, keeping }: Gateways,
  key: string,
  ticker: string,
): Promise<Figure[]> {
  const quotes = `/api/v1/data/quotes?tickers=${ticker}`;
  const urls = [asking + quotes, keeping + quotes, `${keeping}/api/v1/scopes`];
  const [requested, kept, scopes] = await roundsOf(urls, key);
  return [
    shareFigure('authenticated quotes / bare Express, when the service answers', requested!, '≥ 30 %'),
    shareFigure('authenticated quotes / bare Express, answered before', kept!, '≥ 50 %'),
    shareFigure('scope table, all middleware and no work / bare Express', scopes!),
    chainFigure(scopes!),
  ];
}

/** The rounds of each URL. */
async function roundsOf(urls: string[], key: string): Promise<Round[][]> {
  const port = await freePort();
  const bare = fork(new URL('./bare-express.ts', import.meta.url), [String(port)]);
  try {
    await new Promise((resolve) => bare.once('message', resolve));
    const rounds: Round[][] = urls.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      const { rate: bareRate } = await loadOn([`http://127.0.0.1:${port}/`], undefined, SECONDS);
      for (const [index, url] of urls.entries()) {
        const { rate } = await loadOn([url], key, SECONDS);
        rounds[index]!.push({ bareRate, rate });
      }
    }
    return rounds;
  } finally {
    bare.kill();
  }
}

function shareFigure(what: string, rounds: Round[], bar?: string): Figure {
  const shares = rounds.map(({ rate, bareRate }) => rate / bareRate);
  const middle = rounds[shares.indexOf(quantile(shares, 0.5))]!;
  const rates = `${middle.rate.toFixed(0)} / ${middle.bareRate.toFixed(0)}`;
  const [least, half, most] = [0, 0.5, 1].map((q) => `${(100 * quantile(shares, q)).toFixed(0)} %`);
  return {
    what: `${what} (${CONNECTIONS} connections, req/s)`,
    measured: `${rates} = ${half}, of ${ROUNDS} rounds ${least} to ${most}`,
    ...(bar && { bar }),
  };
}

/** Each server has one thread and is never idle here, so the time per request is the inverse of the rate. */
function chainFigure(rounds: Round[]): Figure {
  const costs = rounds.map(({ rate, bareRate }) => 1e6 / rate - 1e6 / bareRate);
  const [least, half, most] = [0, 0.5, 1].map((q) => quantile(costs, q).toFixed(0));
  return {
    what: '... which the middleware costs a request more than bare Express',
    measured: `${half} µs, of ${ROUNDS} rounds ${least} to ${most}`,
  };
}

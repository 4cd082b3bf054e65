import { fork } from 'node:child_process';
import autocannon from 'autocannon';
import { freePort } from '#local/ports.ts';
import type { Figure } from './report.ts';

const SECONDS = 6;
const CONNECTIONS = 64;

/** Authenticated quotes through the gateway and gRPC against a bare Express on the same machine, in turn. */
export async function quoteFigures(baseUrl: string, key: string, ticker: string): Promise<Figure[]> {
  const port = await freePort();
  const bare = fork(new URL('./bare-express.ts', import.meta.url), [String(port)]);
  try {
    await new Promise((resolve) => bare.once('message', resolve));
    const url = `${baseUrl}/api/v1/data/quotes?tickers=${ticker}`;
    const [bareBefore, quotes, bareAfter] = [
      await requestsPerSecond(`http://127.0.0.1:${port}/`),
      await requestsPerSecond(url, { authorization: `Bearer ${key}` }),
      await requestsPerSecond(`http://127.0.0.1:${port}/`),
    ];
    const bareRate = (bareBefore + bareAfter) / 2;
    return [
      {
        what: `authenticated quotes / bare Express (${CONNECTIONS} connections, req/s)`,
        measured: `${quotes.toFixed(0)} / ${bareRate.toFixed(0)} = ${((100 * quotes) / bareRate).toFixed(0)} %`,
        bar: '≥ 30 %',
      },
    ];
  } finally {
    bare.kill();
  }
}

async function requestsPerSecond(url: string, headers: Record<string, string> = {}): Promise<number> {
  const options = { url, headers, connections: CONNECTIONS, duration: SECONDS };
  await autocannon({ ...options, duration: 1 });
  const result = await autocannon(options);
  if (result.non2xx > 0) throw new Error(`${result.non2xx} of the requests to ${url} were refused`);
  return result.requests.average;
}

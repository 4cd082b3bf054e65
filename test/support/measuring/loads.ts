import autocannon from 'autocannon';
import { submitRunOf } from '../rest/jobs.ts';
import type { Rest } from '../rest/rest.ts';
import { quantile } from './report.ts';

export const CONNECTIONS = 64;
const WARM_UP_SECONDS = 1;

/**
 * Requests a second of all these URLs together, with the key if there is one. The URLs share a fixed number of connections.
 * Latencies are those of the slowest URL.
 */
export async function loadOn(urls: string[], key: string | undefined, seconds: number) {
  const connections = CONNECTIONS / urls.length;
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const all = (duration: number) =>
    Promise.all(urls.map((url) => autocannon({ url, headers, connections, duration })));
  await all(WARM_UP_SECONDS);
  const results = await all(seconds);
  const refused = results.reduce((sum, { non2xx }) => sum + non2xx, 0);
  if (refused > 0) throw new Error(`${refused} of the requests to ${urls.join()} were refused`);
  return {
    rate: results.reduce((sum, { requests }) => sum + requests.average, 0),
    p50Ms: Math.max(...results.map(({ latency }) => latency.p50)),
    p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
  };
}

/**
 * Runs a second from submission to result. Each client submits a run, waits for its result and submits the next. `paramsOf`
 * gives the parameters of a run by its number.
 */
export async function runsOn(
  rest: Rest,
  model: string,
  { clients, seconds, paramsOf }: { clients: number; seconds: number; paramsOf: (run: number) => object },
) {
  const times: number[] = [];
  let submitted = 0;
  const begun = performance.now();
  const endsAt = begun + seconds * 1_000;
  const client = async () => {
    while (performance.now() < endsAt) {
      const at = performance.now();
      const job = await submitRunOf(rest, model, paramsOf(submitted++), '?wait=60');
      if (job.status !== 'succeeded') throw new Error(`a run of ${model} ended ${job.status}`);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - begun) / 1_000;
  return { rate: times.length / elapsed, p50Ms: quantile(times, 0.5), p90Ms: quantile(times, 0.9) };
}

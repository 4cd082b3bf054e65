import autocannon from 'autocannon';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 1;

export interface RequestLoad {
  /** Requests a second, of all gateways together. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
}

/** As many connections whatever the number of gateways, which share them; latencies are those of the slowest. */
export async function loadOn(
  baseUrls: string[],
  path: string,
  key: string,
  seconds: number,
): Promise<RequestLoad> {
  const connections = CONNECTIONS / baseUrls.length;
  const headers = { authorization: `Bearer ${key}` };
  const all = (duration: number) =>
    Promise.all(baseUrls.map((base) => autocannon({ url: base + path, headers, connections, duration })));
  await all(WARM_UP_SECONDS);
  const results = await all(seconds);
  const refused = results.reduce((sum, { non2xx }) => sum + non2xx, 0);
  if (refused > 0) throw new Error(`${refused} of the requests to ${path} were refused`);
  return {
    rate: results.reduce((sum, { requests }) => sum + requests.average, 0),
    p50Ms: Math.max(...results.map(({ latency }) => latency.p50)),
    p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
  };
}

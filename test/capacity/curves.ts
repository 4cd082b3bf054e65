import type { Fleet } from '#support/fleets/fleet.ts';
import { SecondCopies } from '#support/fleets/second-copies.ts';
import { startSecondGateway, type SecondGateway } from '#support/fleets/second-gateway.ts';
import { pssMiB } from '#support/measuring/processes.ts';
import { tradedTicker, tradingDays } from '#support/measuring/market-values.ts';
import { withStage } from '#support/measuring/stage.ts';
import { loadOn, runsOn } from '#support/measuring/loads.ts';
import { confine } from './confine.ts';
import { costOf, processorsOf, type Cost } from '#support/measuring/cost.ts';

/** A table with its title and the names of its columns. */
export interface Curve {
  title: string;
  head: string[];
  rows: string[][];
}

const NO_DATASET = { DATASET: '' };
const UNCACHED = { ANSWER_CACHE_BYTES: '0' };
const COUNTS = [1, 2, 4] as const;
const CLIENTS = 8;
/** A process that is confined from the start would take minutes until its code is compiled. */
const WARM_UP_SECONDS = 5;
/** A run of another of these days trains a new model. */
const DAYS = 200;
/** Bars of the smallest market. Larger markets have more stocks as well as more years. */
const BARS = 250_000;
const USUAL_TICKERS = 300;
const MAX_DAYS = 2_500;

const number = (value: number, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Prints the row immediately, because a curve takes minutes. */
function point(rows: string[][], row: string[]): void {
  rows.push(row);
  console.log(`  ${row.join(' | ')}`);
}

/** The share of one processor to which a process is confined; undefined for no limit. */
type Share = number | undefined;

const ofShare = (share: Share) => (share === undefined ? '' : `, each confined to ${share} of a processor`);

/**
 * Requests a second of several gateways for the same services: answered from memory, and by market-data each time.
 * @param share confines each gateway, so that copies do not compete for processors
 */
export function gatewayCurve(env: Record<string, string>, seconds: number, share?: Share): Promise<Curve> {
  return withStage({ ...NO_DATASET, ...env }, async ({ file, rest, key }) => {
    const path = `/api/v1/data/quotes?tickers=${await tradedTicker(rest)}`;
    const rows: string[][] = [];
    for (const [kind, settings] of [
      ['from memory', {}],
      ['by market-data', UNCACHED],
    ] as const) {
      const gateways: SecondGateway[] = [];
      const releases: (() => void)[] = [];
      try {
        for (const count of COUNTS) {
          while (gateways.length < count) {
            const gateway = await startSecondGateway(file, settings);
            gateways.push(gateway);
            if (share === undefined) continue;
            await loadOn([gateway.baseUrl + path], key, WARM_UP_SECONDS);
            releases.push(confine(gateway.pid, share));
          }
          const pids = {
            ...file.pids,
            ...Object.fromEntries(gateways.map(({ pid }, index) => [`gateway-${index}`, pid])),
          };
          const urls = gateways.map(({ baseUrl }) => baseUrl + path);
          const { result, cost } = await costOf(pids, () => loadOn(urls, key, seconds));
          point(rows, [
            `${count}, answered ${kind}`,
            number(result.rate),
            `${number(result.p50Ms)} / ${number(result.p99Ms)}`,
            number((1_000 * processorsOf(cost, 'gateway')) / result.rate, 2),
            number(
              (1_000 * (processorsOf(cost, 'market-data') + processorsOf(cost, 'keys'))) / result.rate,
              2,
            ),
          ]);
        }
      } finally {
        for (const gateway of gateways) await gateway.stop();
        for (const release of releases) release();
      }
    }
    return {
      title: `Gateways, quotes over 64 connections${ofShare(share)}`,
      head: ['Gateways', 'Requests a second', 'p50 / p99 ms', 'Processor ms a request: gateways', 'services'],
      rows,
    };
  });
}

/**
 * Runs a second with different numbers of workers, for a model that trains nothing and one that trains in each run.
 * @param share confines each worker, so that copies do not compete for processors
 */
export async function workerCurve(
  env: Record<string, string>,
  seconds: number,
  share?: Share,
): Promise<Curve> {
  const rows: string[][] = [];
  let stateDir: string | undefined;
  for (const count of COUNTS) {
    const workers = { ...env, WORKERS: String(count), ...(stateDir && { STATE_DIR: stateDir }) };
    const isLast = count === COUNTS.at(-1);
    const releases: (() => void)[] = [];
    try {
      await withStage(
        { ...NO_DATASET, ...workers },
        async ({ fleet, rest }) => {
          stateDir = fleet.stateDir;
          const days = await tradingDays(rest, DAYS);
          if (share !== undefined) {
            const warmUp = { clients: CLIENTS, seconds: WARM_UP_SECONDS, paramsOf: () => ({}) };
            for (const model of ['confluence_filter', 'regime_adaptive_v6'])
              await runsOn(rest, model, warmUp);
            for (const [name, pid] of Object.entries((await fleet.file()).pids))
              if (isWorker(name)) releases.push(confine(pid, share));
          }
          for (const [model, paramsOf] of [
            ['confluence_filter', () => ({})],
            ['regime_adaptive_v6', (run: number) => ({ analysis_date: days[1 + (run % (DAYS - 1))] })],
          ] as const) {
            const { pids } = await fleet.file();
            const load = { clients: CLIENTS, seconds, paramsOf };
            const { result, cost } = await costOf(pids, () => runsOn(rest, model, load));
            point(rows, [
              `${count}, ${model}`,
              number(result.rate, 1),
              `${number(result.p50Ms)} / ${number(result.p90Ms)}`,
              number((1_000 * processorsOf(cost, 'model-worker')) / result.rate),
              number((1_000 * elsewhere(cost)) / result.rate),
            ]);
          }
        },
        { keepState: !isLast },
      );
    } finally {
      for (const release of releases) release();
    }
  }
  return {
    title: `Workers, ${CLIENTS} clients that wait for their runs${ofShare(share)}`,
    head: ['Workers', 'Runs a second', 'p50 / p90 ms', 'Processor ms a run: worker', 'everything else'],
    rows,
  };
}

const isWorker = (name: string) => name.startsWith('model-worker');
const elsewhere = (cost: Cost) => processorsOf(cost) - processorsOf(cost, 'model-worker');

/** Generated markets of multiples of 250,000 bars: the cost to generate, hold and screen them. */
export async function marketCurve(env: Record<string, string>, sizes: number[]): Promise<Curve> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const tickers = Math.round(Math.max(USUAL_TICKERS * Math.sqrt(size), (size * BARS) / MAX_DAYS));
    const market = {
      SAMPLE_TICKERS: String(tickers),
      SAMPLE_DAYS: String(Math.round((size * BARS) / tickers)),
    };
    const begun = performance.now();
    await withStage({ ...NO_DATASET, ...env, ...market, WORKERS: '1' }, async ({ file, rest, key }) => {
      const readySeconds = (performance.now() - begun) / 1_000;
      const days = await tradingDays(rest, DAYS);
      const { pids, base_url } = file;
      const run = (model: string, paramsOf: (run: number) => object) =>
        runsOn(rest, model, { clients: 1, seconds: 5, paramsOf });
      const simple = await run('confluence_filter', () => ({}));
      const learning = await run('regime_adaptive_v6', (index) => ({ analysis_date: days[1 + index] }));
      const path = `/api/v1/data/quotes?tickers=${await tradedTicker(rest)}`;
      const quotes = await loadOn([base_url + path], key, 3);
      const [held, worker] = ['market-data', 'model-worker-1'].map((name) => pssMiB(pids[name]!));
      point(rows, [
        `${size}×: ${market.SAMPLE_TICKERS} tickers, ${market.SAMPLE_DAYS} days`,
        number(readySeconds),
        `${number(simple.p50Ms)}; ${number(learning.p50Ms)}`,
        number(quotes.rate),
        `${number(held!)}; ${number(worker!)}`,
      ]);
    });
  }
  return {
    title: 'Markets, with made-up broker rows, one worker',
    head: [
      'Market',
      'Made and first run shown, s',
      'Run that does not learn; learns anew, p50 ms',
      'Quotes a second',
      'MiB: market-data; worker',
    ],
    rows,
  };
}

/**
 * CPU cost per request for the gateway, keys and market-data, for quotes that market-data answers each time. Alternates between
 * plain text and mutual TLS; both sides are started alike, beside the fleet's own processes. Without other load on the
 * processors the rates agree.
 */
export function mutualTlsCurve(env: Record<string, string>, seconds: number, rounds: number): Promise<Curve> {
  return withStage({ ...NO_DATASET, ...env, WORKERS: '1' }, async ({ fleet, rest, key }) => {
    const path = `/api/v1/data/quotes?tickers=${await tradedTicker(rest)}`;
    const [open, sealed] = [await sideOf(fleet, false), await sideOf(fleet, true)];
    const rows: string[][] = [];
    const costAt = ({ copies, gateway: { pid, baseUrl } }: Side) => {
      const { keys, 'market-data': market } = copies.pids;
      return costOf({ gateway: pid, keys: keys!, market: market! }, () =>
        loadOn([baseUrl + path], key, seconds),
      );
    };
    try {
      for (let round = 1; round <= rounds; round++) {
        const requested = [await costAt(open), await costAt(sealed)];
        const [openMs, sealedMs] = requested.map(
          ({ result, cost }) => (1_000 * processorsOf(cost)) / result.rate,
        );
        const [openRate, sealedRate] = requested.map(({ result }) => number(result.rate));
        point(rows, [
          String(round),
          `${number(openMs!, 3)}; ${openRate!}`,
          `${number(sealedMs!, 3)}; ${sealedRate!}`,
          `${number(100 * (1 - openMs! / sealedMs!), 1)} %`,
        ]);
      }
    } finally {
      for (const { gateway, copies } of [open, sealed]) {
        await gateway.stop();
        await copies.stop();
      }
    }
    const head = [
      'Round',
      'Plain text: processor ms a request; requests a second',
      'Mutual TLS',
      'Lost by cost',
    ];
    return { title: 'Mutual TLS between all processes', head, rows };
  });
}

interface Side {
  copies: SecondCopies;
  gateway: SecondGateway;
}

/** A gateway without a cache and every service behind it. */
async function sideOf(fleet: Fleet, mutualTls: boolean): Promise<Side> {
  const copies = await SecondCopies.start(fleet, { mutualTls });
  const file = { ...(await fleet.file()), addresses: copies.addresses };
  return { copies, gateway: await startSecondGateway(file, { ...UNCACHED, ...copies.tlsOf('gateway') }) };
}

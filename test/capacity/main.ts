/** `make capacity`: measures the limits of a fleet and its first bottlenecks. docs/capacity.md is computed from the results. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { str } from 'envalid';
import { integer, loadConfig } from '#platform/configuration/config.ts';
import { SMALL_MARKET } from '#support/fleets/fleet.ts';
import { REPOSITORY } from '#support/repository.ts';
import { machineLine, markdownTable } from '#support/measuring/report.ts';
import { gatewayCurve, marketCurve, mutualTlsCurve, workerCurve, type Curve } from './curves.ts';

const PARTS = [
  'gateways',
  'workers',
  'confined-gateways',
  'confined-workers',
  'mutual-tls',
  'markets',
  'ledger',
] as const;
const list = (desc: string, fallback: string) => str({ default: fallback, desc });
const config = loadConfig({
  CAPACITY_PARTS: list('what is measured, separated by commas', PARTS.join()),
  CAPACITY_SECONDS: integer({ min: 1, max: 600 })({
    default: 10,
    desc: 'how long each point of a curve is measured',
  }),
  CAPACITY_MARKETS: list('sizes of markets, times 250,000 bars', '1,4,10'),
  CAPACITY_LEDGER: list('sizes of ledgers in millions of runs; 50 takes some 6 GB of disk', '5'),
  CAPACITY_ROUNDS: integer({ min: 1, max: 100 })({ default: 5, desc: 'rounds with and without mutual TLS' }),
});

const seconds = config.CAPACITY_SECONDS;
const numbers = (text: string) => text.split(',').map(Number);
/** Share of a processor: four such copies fit on two processors beside everything else. */
const SHARE = 0.2;
/** The market for runs: the smallest of the markets below. */
const MARKET = { SAMPLE_TICKERS: '300', SAMPLE_DAYS: '833' };

const measure: Record<(typeof PARTS)[number], () => Promise<Curve> | void> = {
  gateways: () => gatewayCurve(SMALL_MARKET, seconds),
  workers: () => workerCurve(MARKET, seconds),
  'confined-gateways': () => gatewayCurve(SMALL_MARKET, seconds, SHARE),
  'confined-workers': () => workerCurve(MARKET, seconds, SHARE),
  'mutual-tls': () => mutualTlsCurve(SMALL_MARKET, Math.min(seconds, 3), config.CAPACITY_ROUNDS),
  markets: () => marketCurve({}, numbers(config.CAPACITY_MARKETS)),
  ledger: () => {
    for (const millions of numbers(config.CAPACITY_LEDGER)) measureLedger(millions);
  },
};

console.log(`Machine: ${machineLine()}`);
for (const part of PARTS) {
  if (!config.CAPACITY_PARTS.split(',').includes(part)) continue;
  if (part.startsWith('confined') && process.getuid?.() !== 0) {
    console.log(`\n${part}: skipped, only root can confine a process`);
    continue;
  }
  const curve = await measure[part]();
  if (curve) console.log(`\n## ${curve.title}\n\n${markdownTable(curve.head, curve.rows)}`);
}

/** Runs the usage bench in a separate process, because it handles only one size. */
function measureLedger(millions: number): void {
  spawnSync(process.execPath, [path.join(REPOSITORY, 'test/bench/main.ts')], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_PARTS: 'usage', BENCH_USAGE_EVENTS: String(millions * 1_000_000) },
  });
}

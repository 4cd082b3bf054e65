/**
 * `make alerts`: makes every alert of `deploy/observability/alerts.yaml` fire once, with a real Prometheus that scrapes a real
 * fleet. Causes the fault that the alert is for, looks where the runbook says to look, mends the fault, and waits until the
 * alert is over. Times in the rules are shorter than in production: see stage.ts. Takes about five minutes. Arguments name the
 * alerts to fire; by default all do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { alertNames } from '#observability/queries.ts';
import { markdownTable, verdict } from '#support/measuring/report.ts';
import { PROVOCATIONS, type Provocation } from './provocations.ts';
import { describeSubstitutions, startAlertStage, type AlertStage } from './stage.ts';

const FIRES_WITHIN_MS = 120_000;
const OVER_WITHIN_MS = 180_000;
const POLL_MS = 250;

const wanted = process.argv.slice(2);
const provocations = PROVOCATIONS.filter(
  ({ alerts }) => wanted.length === 0 || alerts.some((name) => wanted.includes(name)),
);
const untried = alertNames().filter((name) => PROVOCATIONS.every(({ alerts }) => !alerts.includes(name)));
console.log(
  `Shorter than in production:\n${describeSubstitutions()
    .map((line) => `- ${line}`)
    .join('\n')}`,
);
console.log('Starting a fleet and Prometheus …');
const stage = await startAlertStage();
const rows: string[][] = [];
const failures = untried.map((name) => `${name} is provoked by nothing`);
try {
  await untilQuiet(stage);
  for (const provocation of provocations) {
    const found = await tryOut(stage, provocation);
    rows.push([provocation.alerts.join(', '), provocation.how, ...found.cells]);
    failures.push(...found.failures);
    console.log(`${provocation.alerts.join(', ')}: ${found.cells.join(', ')}`);
  }
} finally {
  await stage.stop();
}
const head = ['Alert', 'By', 'Fired after', 'The runbook’s place shows it', 'Over after'];
console.log(`\n${markdownTable(head, rows)}`);
console.log(`\n${verdict(failures)}`);
if (failures.length > 0) process.exitCode = 1;

async function tryOut(
  on: AlertStage,
  { alerts, provoke, evidence, shows }: Provocation,
): Promise<{ cells: string[]; failures: string[] }> {
  const seen = new AbortController();
  const provoking = provoke(on, seen.signal);
  const failed: string[] = [];
  const fired = await within(FIRES_WITHIN_MS, async () => {
    const firing = await on.prometheus.firing();
    return alerts.every((name) => firing.has(name));
  });
  if (fired === undefined) failed.push(`${alerts.join(', ')}: did not fire`);
  let shown = '';
  const found = await within(FIRES_WITHIN_MS, async () => {
    shown = await evidence(on);
    return shows.test(shown);
  });
  if (found === undefined) failed.push(`${alerts.join(', ')}: the runbook’s place shows ${shown}`);
  seen.abort();
  await provoking;
  const over = await untilQuiet(on);
  if (over === undefined)
    failed.push(`${alerts.join(', ')}: not over, ${[...(await on.prometheus.firing())].join(', ')}`);
  return { cells: [seconds(fired), found === undefined ? 'no' : 'yes', seconds(over)], failures: failed };
}

/** Waits until the fleet is healthy and no alert fires. */
function untilQuiet({ prometheus, rest }: AlertStage): Promise<number | undefined> {
  return within(OVER_WITHIN_MS, async () => {
    const { body } = await rest.get<{ status: string }>('/api/health');
    return body.status === 'ok' && (await prometheus.firing()).size === 0;
  });
}

/** Milliseconds until the condition was met; undefined if it was not met in time. */
async function within(ms: number, isSo: () => Promise<boolean>): Promise<number | undefined> {
  const begun = performance.now();
  while (performance.now() - begun < ms) {
    if (await isSo().catch(() => false)) return performance.now() - begun;
    await sleep(POLL_MS);
  }
  return undefined;
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? 'never' : `${(ms / 1_000).toFixed(0)} s`;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { freePort } from '#local/state/ports.ts';
import { Fleet, SEPARATE, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { stageOf } from '#support/measuring/stage.ts';
import { PrometheusServer } from '#support/servers/prometheus.ts';
import { needingSmallDisk, SmallDisk } from '#support/servers/small-disk.ts';

/** A little more than a start requires. */
const DISK_MEGABYTES = 1_200;

export type AlertStage = Awaited<ReturnType<typeof startAlertStage>>;

/** Starts a fleet that Prometheus scrapes, with rules that fire within seconds. Its state is on a small disk where one can be mounted. */
export async function startAlertStage() {
  const disk = needingSmallDisk.skip ? undefined : new SmallDisk(DISK_MEGABYTES);
  /** For files to import. */
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-alerts-'));
  let fleet: Fleet | undefined;
  let prometheus: PrometheusServer | undefined;
  const stop = async () => {
    prometheus?.stop();
    await fleet?.stop({ keepState: true });
    disk?.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = String(await freePort());
    const STATE_DIR = path.join(disk?.dir ?? folder, 'state');
    // Sends a canary of each model within ten seconds, and makes runs long enough to be interrupted.
    const env = { CANARY_SECONDS: '1', REUSE_MODELS: 'false', FEED_SOURCES: await failingSource(folder) };
    fleet = await Fleet.start({ ...SMALL_MARKET, ...SEPARATE, STATE_DIR, PORT: port, ...env });
    await saring(fleet.stateDir, 'feed', 'pause', FAILING_SOURCE);
    const { file, rest } = await stageOf(fleet);
    const targets = Object.values(file.ops).map((url) => new URL(url).host);
    prometheus = await PrometheusServer.start(targets, shortenedRules());
    return { fleet, rest, prometheus, disk, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A source of real days, which a synthetic market refuses. It rests until it is to fail. */
export const FAILING_SOURCE = 'exchange';

async function failingSource(folder: string): Promise<string> {
  const file = path.join(folder, 'sources.json');
  const source = { name: FAILING_SOURCE, format: 'idx_summary', from: { file: '/none/{yyyymmdd}.json' } };
  await writeFile(file, JSON.stringify({ sources: [source] }));
  return file;
}

const RULES = new URL('../../deploy/observability/alerts.yaml', import.meta.url);

/**
 * Times that are shorter than in production, so that a fault of a minute fires alerts that otherwise take an hour. Conditions,
 * labels and names stay the same, and so do thresholds that are not times.
 */
const SUBSTITUTIONS: { what: string; found: RegExp; instead: string }[] = [
  { what: 'how long a condition has to hold', found: /^( +for: )\w+$/gm, instead: '$12s' },
  { what: 'over how long rates are taken', found: /\[(5|15)m\]/g, instead: '[20s]' },
  { what: 'how long a canary may be unavailable', found: /> 1800\b/g, instead: '> 25' },
  { what: 'how long a run may wait', found: /> 300\b/g, instead: '> 10' },
  { what: 'how long an event may wait', found: /> 60\b/g, instead: '> 10' },
  { what: 'how far the ledger may lag', found: /> 120\b/g, instead: '> 5' },
];

/** @throws Error for a substitution without a match, as after a change of the rules */
function shortenedRules(): string {
  return SUBSTITUTIONS.reduce(
    (rules, { what, found, instead }) => {
      if (rules.search(found) === -1) throw new Error(`alerts.yaml has nothing that says ${what}`);
      return rules.replaceAll(found, instead);
    },
    readFileSync(RULES, 'utf8'),
  );
}

/** One line for each substitution. */
export function describeSubstitutions(): string[] {
  return SUBSTITUTIONS.map(({ what, instead }) => `${what}: ${instead.replace('$1', '').trim()}`);
}

import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '#local/state/ports.ts';
import {
  ledgerFaults,
  recordedRunsOf,
  settle,
  SteadyLoad,
  type BrokenFleet,
} from '#support/fleets/broken-fleet.ts';
import { Fleet } from '#support/fleets/fleet.ts';
import { PoweredDisk, whyPowerStaysOn } from '#support/servers/power.ts';
import { Rest } from '#support/rest/rest.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { servedDataset } from '#support/rest/served-dataset.ts';
import { needing } from '#support/needing.ts';

const TINY_MARKET = { SAMPLE_TICKERS: '10', SAMPLE_DAYS: '60' };
const WORK_MS = 4_000;
const CUTS = 2;

const reason = await whyPowerStaysOn();

let disk: PoweredDisk | undefined;
let fleet: Fleet | undefined;
afterAll(async () => {
  await fleet?.stop({ keepState: true });
  await disk?.remove();
});

/** Publishes another market and returns the version that the operator's command printed. */
async function importMarket(stateDir: string, seed: number): Promise<string> {
  const response = await saring(stateDir, 'dataset', 'sample', '--seed', String(seed), '--json');
  expect(response.code, response.stderr).toBe(0);
  return (JSON.parse(response.stdout) as { dataset: { version: string } }).dataset.version;
}

/** Accepts the disclaimer for an end user. Resolves when the acceptance is on record. */
async function consent(rest: Rest, endUser: string): Promise<void> {
  const required = (await rest.get<{ required_version: string }>('/api/v1/consent', { endUser })).body;
  const body = { document_version: required.required_version };
  expect((await rest.post('/api/v1/consent', body, { endUser })).status).toBe(201);
}

test(
  'a power cut loses nothing acknowledged: key, consent, run, usage row or published import',
  needing(`a disk whose power can be cut (${reason})`, reason === undefined),
  async () => {
    disk = new PoweredDisk();
    const env = { ...TINY_MARKET, STATE_DIR: path.join(disk.root, 'state'), PORT: String(await freePort()) };
    fleet = await Fleet.start(env);
    const { id, key } = await issueKey(fleet.stateDir);
    const rest = new Rest((await fleet.file()).base_url, key);
    const load = new SteadyLoad(rest);

    for (let cut = 1; cut <= CUTS; cut++) {
      const accepted = load.accepted.length;
      await new Promise((resolve) => setTimeout(resolve, WORK_MS));
      const version = await importMarket(fleet.stateDir, 1 + cut);
      await consent(rest, `reader-${cut}`);
      expect(load.accepted.length).toBeGreaterThan(accepted);
      await disk.cut(fleet.pid);
      fleet = undefined;
      fleet = await Fleet.start(env);

      expect((await servedDataset(rest)).version).toBe(version);
      const check = await rest.get('/api/v1/consent', { endUser: `reader-${cut}` });
      expect(check.body).toMatchObject({ accepted: true });
    }

    const accepted = await load.stop();
    expect(load.unexpected).toEqual([]);
    const states = await settle(rest, accepted);
    expect([...states.values()].filter((state) => state === 'lost')).toEqual([]);
    const own: BrokenFleet = { fleet, rest, keyId: id };
    await expect.poll(() => ledgerFaults(own, accepted)).toEqual({ doubled: 0, open: 0, missing: 0 });
    expect(await recordedRunsOf(own, load.endUser)).toBe(accepted.length);
  },
);

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identify, isAlive } from '#local/processes/process-identity.ts';
import { Fleet, SMALL_MARKET } from '../support/fleets/fleet.ts';
import { submitRun } from '../support/fleets/jobs.ts';
import { Rest } from '../support/fleets/rest.ts';
import { HANGS_AFTER_MS } from '../support/hangs.ts';

/** The tests start, stop and kill this fleet in turn, always on the same state. */
let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.start(SMALL_MARKET);
});
afterAll(() => fleet?.stop());

/** Identities of the processes. A zombie counts as gone, because init may take seconds to reap it. */
const processesOf = async (of: Fleet) => Object.values((await of.file()).pids).map(identify);

test('a fleet stops cleanly, leaves no process behind, and finds its state at the next start', async () => {
  const before = await fleet.file();
  const processes = await processesOf(fleet);
  const job = await submitRun(new Rest(before.base_url, before.demo_key), {}, '?wait=30');
  expect(await fleet.stop({ keepState: true })).toBe(0);
  expect(processes.filter(isAlive)).toEqual([]);
  await expect(readFile(path.join(fleet.stateDir, 'fleet.json'))).rejects.toThrow('ENOENT');

  fleet = await Fleet.start({ STATE_DIR: fleet.stateDir });
  const after = await fleet.file();
  expect(after.demo_key).toBe(before.demo_key);
  // Noted connection strings still work. Only the gateway's port differs, because the test chooses it for each start.
  expect(after.addresses).toEqual(before.addresses);
  expect({ ...after.ports, gateway: 0 }).toEqual({ ...before.ports, gateway: 0 });
  const answer = await new Rest(after.base_url, after.demo_key).get(`/api/v1/jobs/${job.job_id}`);
  expect(answer.body).toMatchObject({ status: 'succeeded', source: 'ledger' });
});

test('no process is left behind after a kill -9 of the supervisor', async () => {
  const processes = await processesOf(fleet);
  process.kill(fleet.pid, 'SIGKILL');
  // Servers write what they hold before they end, which takes long on a busy machine.
  await expect.poll(() => processes.filter(isAlive), { timeout: 2 * HANGS_AFTER_MS }).toEqual([]);
  fleet = await Fleet.start({ STATE_DIR: fleet.stateDir });
});

test('a gateway port in use fails the start with a message that names the port, without a stack trace', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as { port: number };
  const start = Fleet.start({ PORT: String(port) });
  await expect(start).rejects.toThrow(new RegExp(`${port}`));
  await expect(start).rejects.not.toThrow(/\n\s+at /);
  squatter.close();
});

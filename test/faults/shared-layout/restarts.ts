import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { identify, isAlive } from '#local/state/process-identity.ts';
import { Fleet } from '#support/fleets/fleet.ts';
import { submitRun } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';
import { own } from './fleet.ts';

/** Identities of the processes. A zombie counts as gone, because init may take seconds to reap it. */
const processes = async () => Object.values((await own.fleet.file()).pids).map(identify);

test('a fleet stops cleanly, leaves no process behind, and finds its state at the next start', async () => {
  const before = await own.fleet.file();
  const began = await processes();
  const job = await submitRun(new Rest(before.base_url, before.demo_key), {}, '?wait=30');
  expect(await own.fleet.stop({ keepState: true })).toBe(0);
  expect(began.filter(isAlive)).toEqual([]);
  await expect(readFile(path.join(own.fleet.stateDir, 'fleet.json'))).rejects.toThrow('ENOENT');

  await own.startAgain();
  const after = await own.fleet.file();
  expect(after.demo_key).toBe(before.demo_key);
  // Noted connection strings still work. Only the gateway's port differs, because the test chooses it for each start.
  expect(after.addresses).toEqual(before.addresses);
  expect({ ...after.ports, gateway: 0 }).toEqual({ ...before.ports, gateway: 0 });
  const response = await new Rest(after.base_url, after.demo_key).get(`/api/v1/jobs/${job.job_id}`);
  expect(response.body).toMatchObject({ status: 'succeeded', source: 'ledger' });
});

test('no process is left behind after a kill -9 of the supervisor', async () => {
  const began = await processes();
  process.kill(own.fleet.pid, 'SIGKILL');
  // Servers write what they hold before they end, which takes long on a busy machine.
  await expect.poll(() => began.filter(isAlive)).toEqual([]);
  await own.startAgain();
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

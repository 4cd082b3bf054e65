import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { tokenSettings } from '#local/service-credentials.ts';
import { addressSettings } from '#local/configuration/service-table.ts';
import { freePort } from '#local/state/ports.ts';
import type { FleetFile } from './fleet.ts';
import { REPOSITORY } from '../repository.ts';

export interface SecondGateway {
  baseUrl: string;
  pid: number;
  stop: () => Promise<void>;
}

/** The same time limit that a fleet gives each of its processes. */
const READY_WITHIN_MS = 45_000;

/**
 * Starts another gateway for a fleet's services, with its own settings. It listens on a free port unless `PORT` is set.
 * @param logFile file for its log; without it, the log is discarded
 */
export async function startSecondGateway(
  fleet: Pick<FleetFile, 'addresses' | 'gateway_tokens' | 'nats_url'>,
  settings: Record<string, string> = {},
  logFile?: string,
): Promise<SecondGateway> {
  const port = settings['PORT'] ? Number(settings['PORT']) : await freePort();
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'a');
  const child = spawn(process.execPath, [path.join(REPOSITORY, 'build/gateway.js')], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(port),
      NATS_URL: fleet.nats_url,
      ...addressSettings(fleet.addresses),
      ...tokenSettings(fleet.gateway_tokens),
      ...settings,
    },
    stdio: ['ignore', log, 'ignore'],
  });
  if (typeof log === 'number') closeSync(log);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (!(await responses(baseUrl))) {
    if (performance.now() < giveUpAt && child.exitCode === null) continue;
    await stop();
    throw new Error('the second gateway did not start');
  }
  return { baseUrl, pid: child.pid!, stop };
}

async function responses(baseUrl: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return fetch(`${baseUrl}/api/health`).then(
    (response) => response.ok,
    () => false,
  );
}

import { spawn } from 'node:child_process';
import path from 'node:path';
import { freePort } from '#local/ports.ts';
import { REPOSITORY, type FleetFile } from './fleet.ts';

export interface SecondGateway {
  baseUrl: string;
  stop: () => Promise<void>;
}

/** As long as a fleet gives each of its processes. */
const READY_WITHIN_MS = 45_000;

/** Another gateway before a fleet's services, with settings of its own: on a free port unless they say which. */
export async function startSecondGateway(
  fleet: FleetFile,
  settings: Record<string, string> = {},
): Promise<SecondGateway> {
  const port = settings['PORT'] ? Number(settings['PORT']) : await freePort();
  const { keys, market_data, models, usage, consent } = fleet.addresses;
  const child = spawn(process.execPath, [path.join(REPOSITORY, 'gateway/main.ts')], {
    env: {
      ...{ PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), NATS_URL: fleet.nats_url },
      ...{ KEYS_ADDRESS: keys, MARKET_DATA_ADDRESS: market_data, MODELS_ADDRESS: models },
      ...{ USAGE_ADDRESS: usage, CONSENT_ADDRESS: consent },
      ...settings,
    },
    stdio: 'ignore',
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (!(await answers(baseUrl))) {
    if (performance.now() < giveUpAt && child.exitCode === null) continue;
    await stop();
    throw new Error('the second gateway did not start');
  }
  return { baseUrl, stop };
}

async function answers(baseUrl: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return fetch(`${baseUrl}/api/health`).then(
    (answer) => answer.ok,
    () => false,
  );
}

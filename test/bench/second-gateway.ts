import { spawn } from 'node:child_process';
import path from 'node:path';
import { freePort } from '#local/ports.ts';
import { REPOSITORY, type FleetFile } from '#support/fleet.ts';

/** Where two gateways before the same services are: one keeps answers, the other asks the service each time. */
export interface Gateways {
  keeping: string;
  asking: string;
}

export interface SecondGateway {
  baseUrl: string;
  stop: () => Promise<void>;
}

const READY_WITHIN_MS = 10_000;

/** Another gateway before a fleet's services, which keeps no answers. */
export async function startGatewayWithoutCache(fleet: FleetFile): Promise<SecondGateway> {
  const port = await freePort();
  const { keys, market_data, models, usage } = fleet.addresses;
  const child = spawn(process.execPath, [path.join(REPOSITORY, 'gateway/main.ts')], {
    env: {
      ...{ PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), NATS_URL: fleet.nats_url },
      ...{ KEYS_ADDRESS: keys, MARKET_DATA_ADDRESS: market_data, MODELS_ADDRESS: models },
      ...{ USAGE_ADDRESS: usage, ANSWER_CACHE_BYTES: '0' },
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

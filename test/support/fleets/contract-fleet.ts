import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { buildConsole } from '#console/build.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { waitFor } from '#platform/process/waiting.ts';
import { Fleet, fleetFileIn } from './fleet.ts';
import { issueKey } from './issued-keys.ts';
import { Rest } from '../rest/rest.ts';
import { saring } from './saring-cli.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of `fleet.json`. For a deployment it holds nothing else. */
    stateDir: string;
    isDeployment: boolean;
    baseUrl: string;
    demoKey: string;
    /** The port to which each test file keeps a connection while it uses the fleet. */
    contractFleetUsers: number;
  }
}

/** Large enough for every model to learn and to pick, and small enough to answer thousands of requests. */
const MARKET = { SAMPLE_TICKERS: '110', SAMPLE_DAYS: '600' };
/** Keys of the tests send many requests at once. */
const UNLIMITED = {
  WATCHLISTS_PER_END_USER: '1000',
  WEBHOOKS_PER_KEY: '1000',
  // All tests have one address, and many send no valid key.
  FAILED_AUTH_LIMIT: '1000000',
};
/** Several test files use the fleet at once, on few processors: a slow answer is no fault. */
const PATIENT = { DOWNSTREAM_TIMEOUT_MS: '30000' };
/** Longer than any pause between the end of one file and the start of the next. */
const UNUSED_MS = 30_000;

interface UnderTest {
  stateDir: string;
  demoKey: string;
  stop: () => Promise<unknown>;
}

/**
 * The fleet that all contract tests share: a new one, or the deployment that `fleet.json` in the folder TEST_DEPLOYMENT
 * describes. A new fleet stops after the last of these tests, because the groups that follow need the processors.
 */
export default async function startContractFleet(project: TestProject): Promise<() => Promise<void>> {
  const deployment = process.env['TEST_DEPLOYMENT'];
  const underTest = deployment ? await useDeployment(deployment) : await startFleet();
  let stopped: Promise<unknown> | undefined;
  const stop = () => (stopped ??= underTest.stop());
  let using = 0;
  let stopLater: NodeJS.Timeout | undefined;
  const users = createServer((user) => {
    using++;
    clearTimeout(stopLater);
    user.on('error', () => {});
    user.on('close', () => {
      if (--using === 0) stopLater = setTimeout(() => void stop(), UNUSED_MS).unref();
    });
  });
  await once(users.listen(0, '127.0.0.1'), 'listening');
  project.provide('stateDir', underTest.stateDir);
  project.provide('isDeployment', deployment !== undefined);
  project.provide('baseUrl', (await fleetFileIn(underTest.stateDir)).base_url);
  project.provide('demoKey', underTest.demoKey);
  project.provide('contractFleetUsers', (users.address() as AddressInfo).port);
  return async () => {
    clearTimeout(stopLater);
    users.close();
    await stop();
  };
}

async function startFleet(): Promise<UnderTest> {
  await buildConsole();
  const fleet = await Fleet.start({ ...MARKET, ...UNLIMITED, ...PATIENT });
  const { demo_key: demoKey } = await fleet.file();
  return { stateDir: fleet.stateDir, demoKey, stop: () => fleet.stop() };
}

async function useDeployment(stateDir: string): Promise<UnderTest> {
  await generateMarket(stateDir, MARKET.SAMPLE_TICKERS, MARKET.SAMPLE_DAYS);
  const { key: demoKey } = await issueKey(stateDir);
  return { stateDir, demoKey, stop: async () => {} };
}

interface Health {
  dataset: { kind: string; version: string } | null;
}

/**
 * Replaces the generated market of the deployment that `fleet.json` in a folder describes.
 * @throws Error if the deployment serves a real market
 */
async function generateMarket(stateDir: string, tickers: string, days: string): Promise<void> {
  const { base_url } = await fleetFileIn(stateDir);
  const served = async () => (await new Rest(base_url).get<Health>('/api/health')).body.dataset;
  if ((await served())?.kind === 'real')
    throw new Error(`${base_url} serves a real market: tests would replace it.`);
  const words = ['--tickers', tickers, '--days', days, '--replace', '--json'];
  const { code, stdout, stderr } = await saring(stateDir, 'dataset', 'sample', ...words);
  if (code !== 0) throw new Error(`no market was generated: ${stderr}`);
  const { version } = (JSON.parse(stdout) as { dataset: { version: string } }).dataset;
  const isServed = async () => {
    if ((await served())?.version !== version) throw new Error(`${version} is not served yet`);
  };
  await waitFor('the deployment', isServed, { log: createLogger('test', 'silent') });
}

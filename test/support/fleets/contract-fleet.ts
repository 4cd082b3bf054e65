import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { buildConsole } from '#gateway/console/build.ts';
import { Fleet } from './fleet.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stateDir: string;
    baseUrl: string;
    demoKey: string;
    /** To which each test file keeps a connection while it uses the fleet. */
    contractFleetUsers: number;
  }
}

/** Large enough for every model to learn from and to pick; thousands of requests are answered from it. */
const MARKET = { SAMPLE_TICKERS: '150', SAMPLE_DAYS: '750' };
/** Longer than any pause between the end of one file and the start of the next. */
const UNUSED_MS = 30_000;

/** One fleet that all contract tests share. It stops after the last of them: the groups that follow need the processors. */
export default async function startContractFleet(project: TestProject): Promise<() => Promise<void>> {
  await buildConsole();
  const fleet = await Fleet.start(MARKET);
  let stopped: Promise<unknown> | undefined;
  const stop = () => (stopped ??= fleet.stop());
  let using = 0;
  let stopLater: NodeJS.Timeout | undefined;
  const users = createServer((user) => {
    using++;
    clearTimeout(stopLater);
    user.on('error', () => {});
    user.on('close', () => {
      if (--using === 0) stopLater = setTimeout(() => void stop(), UNUSED_MS);
    });
  });
  await once(users.listen(0, '127.0.0.1'), 'listening');
  const { base_url, demo_key } = await fleet.file();
  project.provide('stateDir', fleet.stateDir);
  project.provide('baseUrl', base_url);
  project.provide('demoKey', demo_key);
  project.provide('contractFleetUsers', (users.address() as AddressInfo).port);
  return async () => {
    clearTimeout(stopLater);
    users.close();
    await stop();
  };
}

import type { TestProject } from 'vitest/node';
import { buildConsole } from '#gateway/console/build.ts';
import { Fleet } from './fleet.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stateDir: string;
    baseUrl: string;
    demoKey: string;
  }
}

/** Large enough for every model to learn from and to pick; thousands of requests are answered from it. */
const MARKET = { SAMPLE_TICKERS: '150', SAMPLE_DAYS: '750' };

/** One fleet that all contract tests share. */
export default async function startContractFleet(project: TestProject): Promise<() => Promise<void>> {
  await buildConsole();
  const fleet = await Fleet.start(MARKET);
  const { base_url, demo_key } = await fleet.file();
  project.provide('stateDir', fleet.stateDir);
  project.provide('baseUrl', base_url);
  project.provide('demoKey', demo_key);
  return async () => {
    await fleet.stop();
  };
}

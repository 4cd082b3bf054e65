import { afterAll, beforeAll } from 'vitest';
import { makeFolder, removeFolders, writeFleetFile } from '../fleets/cli-surroundings.ts';
import { runCli } from '../fleets/saring-cli.ts';
import type { TestMarketData } from './test-market-data.ts';

/** Runs `saring dataset` against a service of a test. Call at the top level of the file. */
export function datasetCommand(own: TestMarketData) {
  const env = { STATE_DIR: '' };
  beforeAll(async () => {
    env.STATE_DIR = await makeFolder();
    await writeFleetFile(env.STATE_DIR, { keys: '127.0.0.1:1', market_data: own.address });
  });
  afterAll(removeFolders);
  return {
    /** The environment of the command, which says where the service is. */
    env,
    cli: (...words: string[]) => runCli(['dataset', ...words], { env }),
  };
}

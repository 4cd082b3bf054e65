import { createLogger } from '#shared/logger.ts';
import { waitFor } from '#shared/waiting.ts';
import { fleetFileIn } from './fleet.ts';
import { Rest } from './rest.ts';
import { saring } from './saring-cli.ts';

interface Health {
  dataset: { kind: string; version: string } | null;
}

/**
 * Gives the deployment that `fleet.json` of a folder describes another generated market.
 * @throws Error when it serves a real one
 */
export async function generateMarket(stateDir: string, tickers: string, days: string): Promise<void> {
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

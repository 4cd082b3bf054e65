/** Runs several services in one process: `SERVICES=keys,consent,usage node_modules/.bin/node services/main.ts`. */
import { runServices } from '#shared/process/run-services.ts';
import type { Service } from '#shared/process/service.ts';

/** Those that can share a process: neither of them keeps a processor busy, or holds a market in memory. */
const LIGHT: Record<string, () => Promise<{ service: Service }>> = {
  keys: () => import('./keys/service.ts'),
  consent: () => import('./consent/service.ts'),
  usage: () => import('./usage/service.ts'),
  models: () => import('./models/service.ts'),
  scheduler: () => import('./scheduler/service.ts'),
};

const named = (process.env['SERVICES'] ?? '').split(',').filter((name) => name !== '');
const unknown = named.filter((name) => !Object.hasOwn(LIGHT, name));
if (named.length === 0 || unknown.length > 0) {
  const problem = named.length === 0 ? 'names no service' : `names ${unknown.join(', ')}`;
  console.error(`SERVICES ${problem}. These can share a process: ${Object.keys(LIGHT).join(', ')}.`);
  process.exit(78);
}
const loaded = await Promise.all(named.map((name) => LIGHT[name]!()));
await runServices(...loaded.map(({ service }) => service));

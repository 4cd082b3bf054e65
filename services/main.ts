/** Runs several services in one process: `SERVICES=keys,consent,usage node_modules/.bin/node build/services.js`. */
import { runServices, WRONG_SETTINGS } from '#platform/process/run-services.ts';
import type { Service } from '#platform/process/service.ts';
import { LIGHT_SERVICES } from './service-table.ts';

const named = (process.env['SERVICES'] ?? '').split(',').filter((name) => name !== '');
const unknown = named.filter((name) => LIGHT_SERVICES.every((light) => light !== name));
if (named.length === 0 || unknown.length > 0) {
  const problem = named.length === 0 ? 'names no service' : `names ${unknown.join(', ')}`;
  console.error(`SERVICES ${problem}. These can share a process: ${LIGHT_SERVICES.join(', ')}.`);
  process.exit(WRONG_SETTINGS);
}
const loaded = await Promise.all(
  named.map(async (name) => (await import(`./${name}/service.ts`)) as { service: Service }),
);
await runServices(...loaded.map(({ service }) => service));

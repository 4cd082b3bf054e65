import { Fleet } from '#support/fleet.ts';
import { Rest } from '#support/rest.ts';
import { createKey } from '#support/saring-cli.ts';
import { printFigures } from './report.ts';
import { memoryFigures } from './memory.ts';
import { runFigures } from './run-latency.ts';
const fleet = await Fleet.start({ DATASET: process.env['REAL'] ?? '', SYNTHESIZE_BROKERS: '1' });
try {
  const file = await fleet.file();
  const { key } = await createKey(fleet.stateDir, 'models:read,models:run,data:read,usage:read', '--rate-limit', '1000000');
  const before = await memoryFigures(file.pids);
  const figures = await runFigures(fleet, new Rest(file.base_url, key));
  printFigures('try', [...before, ...figures, ...(await memoryFigures((await fleet.file()).pids))]);
} finally {
  await fleet.stop({ keepState: true }); console.log(fleet.stateDir);
}

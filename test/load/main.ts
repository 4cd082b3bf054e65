/** `make load`: checks on a new fleet whether the API keeps its promises for many concurrent clients. */
import { loadavg } from 'node:os';
import { integer, loadConfig } from '#platform/configuration/config.ts';
import { machineLine } from '#support/measuring/report.ts';
import { broken, reportOf } from './report.ts';
import { startLoadStage } from './load-stage.ts';
import { runLoad } from './run-load.ts';

const { LOAD_SECONDS: seconds, LOAD_CLIENTS: clients } = loadConfig({
  LOAD_SECONDS: integer({ min: 1, max: 3_600 })({ default: 60, desc: 'how long clients begin anything new' }),
  LOAD_CLIENTS: integer({ min: 1, max: 2_000 })({
    default: 200,
    desc: 'how many clients there are at a time',
  }),
});
const what = `${clients} clients for ${seconds} s: two gateways, three workers, one slow ClickHouse`;
const machine = `${machineLine()}; load average before: ${loadavg()[0]!.toFixed(1)}`;
console.log(`${what}\nMachine: ${machine}\nStarting a fleet of its own …`);

const stage = await startLoadStage();
try {
  const outcome = await runLoad(stage, { seconds, clients, progress: (line) => console.log(line) });
  console.log(`\n## make load: ${what}\n\nOn ${machine}\n\n${reportOf(outcome)}`);
  if (broken(outcome).length > 0) process.exitCode = 1;
} finally {
  await stage.stop();
}

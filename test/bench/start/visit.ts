import type { Fleet } from '#support/fleets/fleet.ts';
import { costOf, processorsOf } from '#support/measuring/cost.ts';
import { loadOn } from '#support/measuring/loads.ts';
import { tradedTicker } from '#support/measuring/market-values.ts';
import { familySeconds, memoryMiB, pssMiB } from '#support/measuring/processes.ts';
import { quantile } from '#support/measuring/report.ts';
import { stageOf, type Stage } from '#support/measuring/stage.ts';
import { timesOf } from '#support/measuring/times.ts';
import { kindsOf, runFigures, runOnce, type Kind } from '../runs/run-latency.ts';
import { defaultsTrained, until, untilAtRest } from './readiness.ts';
import { runsDuringImport } from './version-change.ts';

export interface Measure {
  what: string;
  value: number;
  unit: string;
  bar?: string;
}

/** Each model four times. */
const DEFAULT_RUNS = 24;
const AT_ONCE = 2;
const LOAD_SECONDS = 3;
/** The model that trains longest, and the one of the run that a start shows. */
const RESTARTED = ['gross_alpha_v10', 'model_f_combined'];

/** Those that earlier versions know too. */
const SCOPES = 'models:read,models:run,data:read,usage:read';

/** Measures one fleet from its start on. It has just been launched on a state with data. */
export async function visit(fleet: Fleet, dataset: string | undefined): Promise<Measure[]> {
  const started = await startMeasures(fleet);
  const stage = await stageOf(fleet, SCOPES);
  const trained = await trainedMeasures(stage);
  const atRest = await memoryMeasures(fleet, 'at rest', '≤ 1,100 MiB');
  const kinds = await kindsOf(stage.rest);
  const defaults = await timesOf((run) => runOnce(stage.rest, kinds[run % kinds.length]!), {
    count: DEFAULT_RUNS,
    atOnce: AT_ONCE,
  });
  const cached = await cachedMeasures(stage);
  await runFigures(stage.rest);
  await untilAtRest(fleet.pid);
  const afterRuns = await memoryMeasures(fleet, "after the bench's runs", '≤ 1,500 MiB');
  const duringImport = dataset ? await runsDuringImport(stage, kinds, dataset) : [];
  return [
    ...started,
    ...trained,
    ...runMeasures('default runs after that, two at once', defaults),
    ...(dataset ? runMeasures('default runs while a day is added, two at once', duringImport) : []),
    ...(await restartMeasures(stage, kinds)),
    ...cached,
    ...atRest,
    ...afterRuns,
  ];
}

/** Processor time of all processes of the fleet together, those included that only live during its start. */
async function startMeasures(fleet: Fleet): Promise<Measure[]> {
  const begun = performance.now();
  const measuresWhen = async (what: string, reached: Promise<void>, bar: string) => {
    await reached;
    const seconds = (performance.now() - begun) / 1_000;
    return [
      { what: `processor time until ${what}`, value: await familySeconds(fleet.pid), unit: 's', bar },
      { what: `elapsed time until ${what}`, value: seconds, unit: 's' },
    ];
  };
  const half = '≤ half of before';
  return [
    ...(await measuresWhen('the dataset is served', fleet.untilPrinted(/ is served/), half)),
    ...(await measuresWhen('the first default result is shown', fleet.untilReady(), half)),
  ];
}

async function trainedMeasures({ fleet, rest }: Stage): Promise<Measure[]> {
  await defaultsTrained(rest);
  await untilAtRest(fleet.pid);
  const what = 'processor time until it is at rest, default models trained if the version does so by itself';
  return [{ what, value: await familySeconds(fleet.pid), unit: 's' }];
}

async function memoryMeasures(fleet: Fleet, when: string, bar: string): Promise<Measure[]> {
  const sizes = { ...(await memoryMiB((await fleet.file()).pids)), supervisor: pssMiB(fleet.pid) };
  const sum = Object.values(sizes).reduce((total, size) => total + size, 0);
  const measure = (what: string, value: number) => ({ what: `memory ${when}: ${what}`, value, unit: 'MiB' });
  return [
    { ...measure('the whole fleet', sum), bar },
    ...Object.entries(sizes).map(([name, size]) => measure(name, size)),
  ];
}

function runMeasures(what: string, times: number[]): Measure[] {
  return [
    { what: `${what}: slowest`, value: Math.max(...times), unit: 'ms', bar: '< 1,200 ms' },
    { what: `${what}: median`, value: quantile(times, 0.5), unit: 'ms' },
  ];
}

/** From the signal to the worker until a default run has succeeded. */
async function restartMeasures(stage: Stage, kinds: Kind[]): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [how, signal] of [
    ['kill -9 of', 'SIGKILL'],
    ['planned restart of', 'SIGTERM'],
  ] as const) {
    for (const kind of kinds.filter(({ model }) => RESTARTED.includes(model))) {
      const value = await restartSeconds(stage, signal, () => runOnce(stage.rest, kind));
      const what = `from ${how} every worker to a default result of ${kind.model}`;
      measures.push({ what, value, unit: 's', bar: '≤ 2 s' });
    }
  }
  return measures;
}

/** Requests to the gateway that call no service: an answer from its cache, and the key check alone. */
async function cachedMeasures({ file, key, rest }: Stage): Promise<Measure[]> {
  const paths = {
    'quote from the cache': `/api/v1/data/quotes?tickers=${await tradedTicker(rest)}`,
    'key check alone (GET /api/v1/scopes)': '/api/v1/scopes',
  };
  const measures: Measure[] = [];
  for (const [what, path] of Object.entries(paths)) {
    const load = () => loadOn([file.base_url + path], key, LOAD_SECONDS);
    const { result, cost } = await costOf({ gateway: file.pids['gateway']! }, load);
    measures.push(
      { what: `${what}: requests a second`, value: result.rate, unit: '', bar: 'no less' },
      {
        what: `${what}: processor time a request`,
        value: (1e6 * processorsOf(cost)) / result.rate,
        unit: 'µs',
      },
    );
  }
  return measures;
}

/**
 * Seconds from a signal to every worker process until the run succeeds. A run submitted before one of the new processes is there
 * could go to a worker that was just killed, and would wait for its timeout.
 */
async function restartSeconds(
  { fleet, rest }: Stage,
  signal: NodeJS.Signals,
  run: () => Promise<void>,
): Promise<number> {
  const { pids } = await fleet.file();
  const workers = Object.keys(pids).filter((name) => name.startsWith('model-worker-'));
  const areNew = async (which: 'some' | 'every') => {
    const now = (await fleet.file()).pids;
    return workers[which]((worker) => now[worker] !== undefined && now[worker] !== pids[worker]);
  };
  const begun = performance.now();
  for (const worker of workers) process.kill(pids[worker]!, signal);
  await until('a new worker', () => areNew('some'));
  await run();
  const seconds = (performance.now() - begun) / 1_000;
  await until('every worker is new', () => areNew('every'));
  await defaultsTrained(rest);
  await untilAtRest(fleet.pid);
  return seconds;
}

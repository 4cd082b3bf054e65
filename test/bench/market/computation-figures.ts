import { featureTable } from '#quant/features/build-feature-table.ts';
import { foreignNet, largestFlows } from '#quant/net-flows/net-flows.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { params as paramsOfD } from '#models/confluence-filter/params.ts';
import { screen as modelD } from '#models/confluence-filter/screen.ts';
import { params as paramsOfF } from '#models/combined/params.ts';
import { screen as modelF } from '#models/combined/screen.ts';
import { packExplanation } from '#models/picks/run-explanation.ts';
import { defaultsOf } from '#models/inputs/parameters.ts';
import { screenInput } from '#models/fixtures/screen-input-fixture.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import type { Figure } from '#support/measuring/report.ts';

/** Calls that compile the code before any is measured. */
const WARM_UP = 5;
const CALLS = 50;
const FLOW_DAYS = 120;
const THREADS = 2;

/** Processor time of single computations in this process, on a market in memory, once their code is warm. */
export async function computationFigures(panel: Panel): Promise<Figure[]> {
  const market = `${panel.tickerCount} tickers`;
  const paramsD = defaultsOf(paramsOfD);
  const trainer = await ThreadedTrainer.start(THREADS);
  try {
    const input = { panel, trainer: async () => trainer };
    const { explanation } = await modelF.run(screenInput({ ...input, params: defaultsOf(paramsOfF) }));
    return [
      {
        what: `the features of ${market}, ${panel.dayCount.toLocaleString('en')} days, from bars`,
        ...(await processorMs(() => featureTable(panel, regimeHistory(panel)), { warmUp: 1, calls: 2 })),
        bar: '< 60 s',
      },
      {
        what: `the screen of D on ${market}`,
        ...(await processorMs(() => modelD.run(screenInput({ ...input, params: paramsD })))),
        bar: '< 200 ms',
      },
      {
        what: `flows of all ${market} over ${FLOW_DAYS} days`,
        ...(await processorMs(() => flowsOf(panel))),
        bar: '< 20 ms',
      },
      {
        what: `packing what explains a run of F (${(packExplanation(explanation!).length / 1024).toFixed(0)} KiB)`,
        ...(await processorMs(() => packExplanation(explanation!))),
        bar: '< 20 ms',
      },
    ];
  } finally {
    await trainer.stop();
  }
}

function flowsOf(panel: Panel): unknown {
  const lastDay = panel.dayCount - 1;
  return largestFlows(panel, foreignNet(panel), {
    firstDay: Math.max(0, lastDay + 1 - FLOW_DAYS),
    lastDay,
    minNetValue: 0,
    minPrice: 0,
    minDailyValue: 0,
    sortBy: 'value',
    maxPriceChangePct: Infinity,
    minDayRatio: null,
    limit: 1_000,
  });
}

/** The mean over all calls, because some systems count processor time in steps of milliseconds. */
async function processorMs(
  work: () => unknown,
  { warmUp, calls } = { warmUp: WARM_UP, calls: CALLS },
): Promise<Pick<Figure, 'measured'>> {
  for (let call = 0; call < warmUp; call++) await work();
  const begun = process.threadCpuUsage();
  for (let call = 0; call < calls; call++) await work();
  const { user, system } = process.threadCpuUsage(begun);
  const meanMs = (user + system) / 1_000 / calls;
  return { measured: `${meanMs.toFixed(1)} ms of processor a call, of ${calls}` };
}

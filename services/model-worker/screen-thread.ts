/** The thread in which models run, so that nothing heavy ever delays a heartbeat of the main thread. */
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import type { DaySpan } from '#quant/broker-flow/flow-builder.ts';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { FAILURE } from './failure-messages.ts';
import { HeldPanel, type LoadedPanel } from './held-panel.ts';
import { RunFailure } from './run-failure.ts';
import { screenOf } from './screens/registry.ts';
import type {
  DatasetToLoad,
  FromThread,
  Outcome,
  ThreadRun,
  ThreadStart,
  ToThread,
} from './thread-messages.ts';

/** A whole dataset on a busy machine. */
const LOAD_TIMEOUT_MS = 60_000;

const { clickhouseUrl } = workerData as ThreadStart;
const panels = new HeldPanel(connectClickHouse(clickhouseUrl, LOAD_TIMEOUT_MS));
const tell = (message: FromThread) => parentPort!.postMessage(message);

parentPort!.on('message', (message: ToThread) => {
  if (message.kind === 'load') void load(message.dataset);
  else void run(message.dataset, message.run);
});

async function load(dataset: DatasetToLoad): Promise<LoadedPanel | undefined> {
  const begun = performance.now();
  try {
    const loaded = await panels.load(dataset);
    tell({ kind: 'loaded', version: dataset.version, tookMs: performance.now() - begun });
    return loaded;
  } catch (error) {
    tell({ kind: 'not_loaded', version: dataset.version, reason: (error as Error).message });
    return undefined;
  }
}

/** A version that cannot be read now leaves the one in memory good enough: the result says which one it saw. */
async function run(dataset: DatasetToLoad, wanted: ThreadRun): Promise<void> {
  const isHeld = panels.held?.dataset.version === dataset.version;
  const loaded = (isHeld ? undefined : await load(dataset)) ?? panels.held;
  const begun = performance.now();
  if (!loaded) {
    return tell({ kind: 'finished', outcome: { status: 'failed', message: FAILURE.notLoaded }, tookMs: 0 });
  }
  const { outcome, unexpected } = await screened(loaded, wanted);
  tell({ kind: 'finished', outcome, unexpected, tookMs: performance.now() - begun });
}

async function screened(
  loaded: LoadedPanel,
  { model_id, params, view }: ThreadRun,
): Promise<{ outcome: Outcome; unexpected?: string | undefined }> {
  const { panel, dataset } = loaded;
  const datasetVersion = dataset.version;
  try {
    const screen = screenOf(model_id);
    const brokerFlow = await brokerFlowFor(loaded, screen.brokerSpan(panel, params));
    const { result, summary } = screen.run({ panel, brokerFlow, dataset, params, view });
    const resultJson = new TextEncoder().encode(JSON.stringify(result));
    return { outcome: { status: 'succeeded', resultJson, summary, datasetVersion } };
  } catch (error) {
    const isTold = error instanceof RunFailure;
    const message = isTold ? error.message : FAILURE.unexpected;
    const unexpected: unknown = isTold ? error.cause : error;
    return {
      outcome: { status: 'failed', message, datasetVersion },
      unexpected: unexpected === undefined ? undefined : inspect(unexpected),
    };
  }
}

/** Without its broker rows a run would be another one, hence none. */
async function brokerFlowFor(loaded: LoadedPanel, span: DaySpan | undefined): Promise<BrokerFlow> {
  try {
    return await panels.flowOf(loaded, span);
  } catch (cause) {
    throw new RunFailure(FAILURE.notLoaded, { cause });
  }
}

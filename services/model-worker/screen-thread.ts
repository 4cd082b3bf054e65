/** The thread in which models run, so that nothing heavy ever delays a heartbeat of the main thread. */
import { parentPort, workerData } from 'node:worker_threads';
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
  const { outcome, unexpected } = screened(loaded, wanted);
  tell({ kind: 'finished', outcome, unexpected, tookMs: performance.now() - begun });
}

function screened(
  { panel, dataset }: LoadedPanel,
  { model_id, params, view }: ThreadRun,
): { outcome: Outcome; unexpected?: string | undefined } {
  const datasetVersion = dataset.version;
  try {
    const { result, summary } = screenOf(model_id).run({ panel, dataset, params, view });
    const resultJson = new TextEncoder().encode(JSON.stringify(result));
    return { outcome: { status: 'succeeded', resultJson, summary, datasetVersion } };
  } catch (error) {
    if (error instanceof RunFailure) {
      return { outcome: { status: 'failed', message: error.message, datasetVersion } };
    }
    const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { outcome: { status: 'failed', message: FAILURE.unexpected, datasetVersion }, unexpected };
  }
}

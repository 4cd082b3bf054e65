import { Worker } from 'node:worker_threads';
import { Panel } from '#quant/panel/panel.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';

const WORKER = new URL('./load-panel-worker.ts', import.meta.url);
const DEADLINE_MS = 60_000;

export interface PanelToLoad {
  clickhouseUrl: string;
  version: string;
}

/** Loads the bars of a version in a thread of its own, so that requests are answered meanwhile. */
export function panelLoader(clickhouseUrl: string): (version: string) => Promise<Panel> {
  return (version) => load({ clickhouseUrl, version });
}

async function load(wanted: PanelToLoad): Promise<Panel> {
  const worker = new Worker(WORKER, { workerData: wanted, name: 'panel loader' });
  const { promise: columns, resolve, reject } = Promise.withResolvers<PanelColumns>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the loader ended without a panel')));
  const overdue = setTimeout(
    () => reject(new Error(`not loaded within ${DEADLINE_MS / 1000} s`)),
    DEADLINE_MS,
  );
  try {
    return new Panel(await columns);
  } finally {
    clearTimeout(overdue);
    await worker.terminate();
  }
}

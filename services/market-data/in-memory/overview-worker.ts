import { parentPort, workerData } from 'node:worker_threads';
import { newestOverview } from '#quant/overview/market-overview.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';

parentPort!.postMessage(newestOverview(new Panel(workerData as PanelColumns)));

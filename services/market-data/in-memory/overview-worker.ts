import { parentPort, workerData } from 'node:worker_threads';
import { marketOverview } from '#quant/overview/market-overview.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import { regimeHistory } from '#quant/regime/regime.ts';

const panel = new Panel(workerData as PanelColumns);
parentPort!.postMessage(marketOverview(panel, regimeHistory(panel), panel.dayCount - 1));

import { parentPort, workerData } from 'node:worker_threads';
import { loadPanel } from '#quant/panel/panel-query.ts';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { readArrow } from '#shared/clickhouse-arrow.ts';
import type { PanelToLoad } from './load-panel.ts';

/** The whole loading has a deadline in the thread that waits; this one is for a silent connection. */
const SILENCE_MS = 30_000;

const { clickhouseUrl, version } = workerData as PanelToLoad;
const client = connectClickHouse(clickhouseUrl, SILENCE_MS);
const panel = await loadPanel((query, params) => readArrow(client, query, params), version);
await client.close();
parentPort!.postMessage(panel.columns);

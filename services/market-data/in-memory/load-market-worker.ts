import { parentPort, workerData } from 'node:worker_threads';
import { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { classFlowColumns } from '#quant/broker-rows/class-flows.ts';
import { loadBrokerFlow } from '#market-reader/read-broker-flow.ts';
import { loadPanel } from '#market-reader/read-panel.ts';
import { renamesOf } from '#quant/corporate-actions/renames.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { NewName } from '#quant/panel/panel-columns.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { readActions, statedIn, type StoredAction } from '../store/action-rows.ts';
import type { LoadedColumns, LoadMessage, LoadOutcome, MarketToLoad } from './load-market.ts';
import type { RowCounts } from './loaded-dataset.ts';

/** How long ClickHouse may sort rows before the first of them come. */
const SILENCE_MS = 60_000;
/** Batches come by the hundred. */
const TELL_EVERY_MS = 1_000;

const client = connectClickHouse(workerData as ClickHouseAddress, SILENCE_MS);

const tell = (message: LoadMessage) => parentPort!.postMessage(message);

// A rejection ends the thread, and its parent receives the error.
parentPort!.on('message', (wanted: MarketToLoad) => {
  void outcomeOf(wanted).then(tell);
});

async function outcomeOf(wanted: MarketToLoad): Promise<LoadOutcome> {
  const { published } = wanted;
  const stored = await storedRows(wanted);
  tell('progress');
  const isWhole = stored.bars === published.bars && stored.brokerRows === published.brokerRows;
  return isWhole ? { loaded: await loadColumns(wanted) } : { stored };
}

/** ClickHouse counts the rows from the metadata of parts, so this costs nothing. */
async function storedRows({ version, segments }: MarketToLoad): Promise<RowCounts> {
  const query = `SELECT
    (SELECT toUInt32(count()) FROM market.daily_bar WHERE dataset_version = {version:String}) AS bars,
    (SELECT toUInt32(count()) FROM market.broker_flow WHERE segment IN {segments:Array(String)}) AS brokerRows`;
  const [row] = await clickhouseRows<RowCounts>(client, query, { version, segments });
  return row!;
}

async function loadColumns({
  version,
  wholeUntil,
  segments,
  brokerDays,
  held,
}: MarketToLoad): Promise<LoadedColumns> {
  const read = (...query: [string, Record<string, unknown>]) => telling(readArrow(client, ...query));
  const inMemory = held && {
    version: held.version,
    panel: new Panel(held.panel),
    flow: new BrokerFlow(held.brokerFlow),
    segments: held.segments,
  };
  const panel = await loadPanel(read, version, inMemory);
  const lastDay = panel.dayCount - 1;
  const span = { firstDay: Math.max(0, lastDay + 1 - brokerDays), lastDay };
  const brokerFlow = await loadBrokerFlow(read, { panel, version, segments, ...span, held: inMemory });
  const actions = await readActions(client, version);
  return {
    panel: {
      ...panel.columns,
      wholeDays: panel.dayOnOrBefore(wholeUntil) + 1,
      renamed: newNames(actions, panel.columns.dates.at(-1) ?? ''),
    },
    brokerFlow: brokerFlow.columns,
    classFlows: classFlowColumns(panel, brokerFlow),
    actions,
  };
}

/** What renamed stocks are called on the last day of a dataset, by their old tickers. */
function newNames(actions: readonly StoredAction[], lastDate: string): Record<string, NewName> {
  return Object.fromEntries(
    renamesOf(statedIn(actions), lastDate).map(({ from, to, before }) => [
      from,
      { ticker: to, since: before },
    ]),
  );
}

/** Passes the batches on, and tells the parent thread that the load goes on. */
async function* telling(batches: ReturnType<typeof readArrow>): ReturnType<typeof readArrow> {
  let toldAt = -TELL_EVERY_MS;
  for await (const batch of batches) {
    if (performance.now() - toldAt >= TELL_EVERY_MS) {
      tell('progress');
      toldAt = performance.now();
    }
    yield batch;
  }
}

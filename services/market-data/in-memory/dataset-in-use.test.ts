import { expect, test, vi } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { DatasetInUse } from './dataset-in-use.ts';
import { marketOf } from './loaded-fixture.ts';
import type { Market } from './loaded-dataset.ts';
import { IN_TIME } from '#support/hangs.ts';

const panel = panelOf([{ ticker: 'AAAA', date: '2024-03-04', close: 100 }]);
const oneMarket = marketOf(panel);
const datasetOf = (version: string, bars = 1) => ({ version, bars }) as Dataset;

/** Loads that the test completes manually. */
function heldLoads() {
  const loads: { version: string; finish: (market: Market) => void; fail: (error: Error) => void }[] = [];
  const load = ({ version }: Dataset) =>
    new Promise<Market>((finish, fail) => void loads.push({ version, finish, fail }));
  const replaced = vi.fn();
  const inUse = new DatasetInUse({ load, log: createLogger('test', 'silent'), onReplaced: replaced });
  return { inUse, loads, replaced };
}

const servedBy = async (inUse: DatasetInUse) => (await inUse.get()).dataset.version;
const unavailable = { code: 'data_unavailable' };

test('a read during the first load waits for it; until then the dataset is reported as not loaded', async () => {
  const { inUse, loads } = heldLoads();
  inUse.use(datasetOf('v1'));
  expect(inUse.current()).toEqual({ dataset: datasetOf('v1'), isLoaded: false, lostVersion: '' });
  const read = servedBy(inUse);
  loads[0]!.finish(oneMarket);
  expect(await read).toBe('v1');
});

test('the previous dataset answers until the next is loaded, and a running answer keeps its dataset', async () => {
  const { inUse, loads } = heldLoads();
  inUse.use(datasetOf('v1'));
  loads[0]!.finish(oneMarket);
  expect(await inUse.serves('v1', 1_000)).toBe(true);
  const begun = await inUse.get();
  inUse.use(datasetOf('v2'));
  expect(await servedBy(inUse)).toBe('v1');
  expect(inUse.current().isLoaded).toBe(true);
  loads[1]!.finish(oneMarket);
  expect(await inUse.serves('v2', 1_000)).toBe(true);
  expect(await servedBy(inUse)).toBe('v2');
  expect(begun.dataset.version).toBe('v1');
});

test('a replacement dataset is prepared before it is served; the first dataset is served at once', async () => {
  const preparations: (() => void)[] = [];
  const inUse = new DatasetInUse({
    load: async () => oneMarket,
    prepare: () => new Promise((done) => void preparations.push(done)),
    log: createLogger('test', 'silent'),
    onReplaced: () => {},
  });
  inUse.use(datasetOf('v1'));
  expect(await servedBy(inUse)).toBe('v1');
  inUse.use(datasetOf('v2'));
  expect(await inUse.serves('v2', 50)).toBe(false);
  expect([await servedBy(inUse), preparations.length]).toEqual(['v1', 2]);
  preparations[1]!();
  expect(await inUse.serves('v2', 1_000)).toBe(true);
});

test('a version superseded while another loads is never loaded', async () => {
  const { inUse, loads } = heldLoads();
  for (const version of ['v1', 'v2', 'v3']) inUse.use(datasetOf(version));
  loads[0]!.finish(oneMarket);
  await vi.waitFor(() => expect(loads).toHaveLength(2), IN_TIME);
  loads[1]!.finish(oneMarket);
  expect(await inUse.serves('v3', 1_000)).toBe(true);
  expect(loads.map(({ version }) => version)).toEqual(['v1', 'v3']);
});

test('a version whose bar count differs from the published one is not served, and its load is retried', async () => {
  const { inUse, loads } = heldLoads();
  inUse.use(datasetOf('v1', 2));
  loads[0]!.finish(oneMarket);
  await vi.waitFor(() => expect(loads).toHaveLength(2), IN_TIME);
  await expect(inUse.get()).rejects.toMatchObject(unavailable);
  loads[1]!.fail(new Error('ClickHouse is unavailable'));
  await vi.waitFor(() => expect(loads).toHaveLength(3), IN_TIME);
  inUse.stop();
});

test('waiting for a version times out when it is not served', async () => {
  const { inUse } = heldLoads();
  expect(await inUse.serves('v1', 50)).toBe(false);
  inUse.use(datasetOf('v1'));
  expect(await inUse.serves('v1', 50)).toBe(false);
  inUse.stop();
});

test('onReplaced is called after a dataset has loaded, with the one that it replaced', async () => {
  const { inUse, loads, replaced } = heldLoads();
  inUse.use(datasetOf('v1'));
  loads[0]!.finish(oneMarket);
  await vi.waitFor(() => expect(replaced).toHaveBeenLastCalledWith(oneMarket, undefined), IN_TIME);
  inUse.use(datasetOf('v2'));
  const otherMarket = marketOf(panel);
  loads[1]!.finish(otherMarket);
  const v1 = { dataset: datasetOf('v1'), ...oneMarket };
  await vi.waitFor(() => expect(replaced).toHaveBeenLastCalledWith(otherMarket, v1), IN_TIME);
});

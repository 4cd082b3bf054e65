import { expect, test, vi } from 'vitest';
import { createLogger } from '#platform/operations/logger.ts';
import { FAILURE, noDataOf } from '../failures/failure-messages.ts';
import { Unreadable } from './thread-requests.ts';
import { Markets } from './markets.ts';
import type { DatasetToLoad, SharedMarket } from './shared-market.ts';
import { IN_TIME } from '#support/hangs.ts';

const log = createLogger('test', 'silent');
const NEVER = new AbortController().signal;
const PATIENCE_MS = 1_500;

const datasetOf = (version: string): DatasetToLoad => ({
  version,
  kind: 'real',
  broker_data: 'none',
  fingerprint: version,
  bars: 1,
  broker_segments: [],
});
const marketOf = (version: string, lastDay: string) =>
  ({ dataset: { version }, panel: { dates: [lastDay] } }) as unknown as SharedMarket;
const OLD = marketOf('old', '2024-06-27');
const NEW = marketOf('new', '2024-06-28');

/** Markets whose reads and preparations end when the test says. */
function markets(limits: { prepareWithinMs?: number; readWithinMs?: number } = {}) {
  const reads = { old: Promise.withResolvers<SharedMarket>(), new: Promise.withResolvers<SharedMarket>() };
  const prepared = { old: Promise.withResolvers<void>(), new: Promise.withResolvers<void>() };
  const replaced: string[] = [];
  const tested = new Markets({
    read: ({ version }) => reads[version as 'old'].promise,
    prepare: ({ dataset }) => prepared[dataset.version as 'old'].promise,
    onReplaced: (version) => replaced.push(version),
    onPrepared: () => {},
    patienceMs: PATIENCE_MS,
    log,
    ...limits,
  });
  return { markets: tested, reads, prepared, replaced };
}

const failure = (reason: { in: object }) => ({ code: 'data_unavailable', reason });

test('the first version is used as soon as it is read, and counts as prepared once it is', async () => {
  const { markets: tested, reads, prepared } = markets();
  tested.load(datasetOf('old'));
  const market = tested.marketFor('2024-06-27', NEVER);
  reads.old.resolve(OLD);
  expect(await market).toBe(OLD);
  expect([tested.used, tested.preparedVersion]).toEqual([OLD, undefined]);
  prepared.old.resolve();
  await vi.waitFor(() => expect(tested.preparedVersion).toBe('old'), IN_TIME);
});

test('runs use the previous version until the new one is prepared, except those that need its new day', async () => {
  const { markets: tested, reads, prepared, replaced } = markets();
  reads.old.resolve(OLD);
  prepared.old.resolve();
  tested.load(datasetOf('old'));
  await vi.waitFor(() => expect(tested.preparedVersion).toBe('old'), IN_TIME);
  tested.load(datasetOf('new'));
  expect(await tested.marketFor('2024-06-27', NEVER)).toBe(OLD);
  const ahead = tested.marketFor('2024-06-28', NEVER);
  reads.new.resolve(NEW);
  expect(await ahead).toBe(NEW);
  expect(await tested.marketFor('2024-06-27', NEVER)).toBe(OLD);
  expect([tested.used, tested.preparedVersion, replaced]).toEqual([OLD, 'old', []]);
  prepared.new.resolve();
  await vi.waitFor(() => expect(tested.preparedVersion).toBe('new'), IN_TIME);
  expect(await tested.marketFor('2024-06-27', NEVER)).toBe(NEW);
  expect(replaced).toEqual(['old']);
});

test('a version that is served again while another one is on its way stays in use', async () => {
  const { markets: tested, reads, prepared, replaced } = markets();
  reads.old.resolve(OLD);
  prepared.old.resolve();
  tested.load(datasetOf('old'));
  await vi.waitFor(() => expect(tested.preparedVersion).toBe('old'), IN_TIME);
  tested.load(datasetOf('new'));
  tested.load(datasetOf('old'));
  reads.new.resolve(NEW);
  prepared.new.resolve();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([tested.used, tested.preparedVersion, replaced]).toEqual([OLD, 'old', []]);
});

test('a version that takes long to prepare is used anyway, and says that it is not prepared', async () => {
  const { markets: tested, reads, prepared } = markets({ prepareWithinMs: 50 });
  reads.old.resolve(OLD);
  reads.new.resolve(NEW);
  prepared.old.resolve();
  tested.load(datasetOf('old'));
  await vi.waitFor(() => expect(tested.preparedVersion).toBe('old'), IN_TIME);
  tested.load(datasetOf('new'));
  await vi.waitFor(() => expect(tested.used).toBe(NEW), IN_TIME);
  expect(tested.preparedVersion).toBeUndefined();
  prepared.new.resolve();
  await vi.waitFor(() => expect(tested.preparedVersion).toBe('new'), IN_TIME);
});

test('a run whose day the newest version lacks fails with a message that names the day', async () => {
  const { markets: tested, reads } = markets();
  reads.old.resolve(OLD);
  tested.load(datasetOf('old'));
  await tested.marketFor('', NEVER);
  const message = noDataOf('2024-06-28').in;
  await expect(tested.marketFor('2024-06-28', NEVER)).rejects.toMatchObject(failure({ in: message }));
});

test('a run does not wait for ever for a version that is being read', async () => {
  const { markets: tested } = markets({ readWithinMs: 50 });
  tested.load(datasetOf('old'));
  await expect(tested.marketFor('', NEVER)).rejects.toMatchObject({
    code: 'timeout',
    reason: FAILURE.tooLong,
  });
});

test('a version that is damaged fails runs at once, unless the previous one serves them', async () => {
  const { markets: tested, reads } = markets();
  reads.new.reject(new Unreadable('new has 0 bars instead of 1', { isUnavailable: false }));
  tested.load(datasetOf('new'));
  await expect(tested.marketFor('', NEVER)).rejects.toMatchObject(failure(FAILURE.notLoaded));
  tested.stop();
  const { markets: second, reads: reading } = markets();
  reading.old.resolve(OLD);
  second.load(datasetOf('old'));
  await second.marketFor('', NEVER);
  reading.new.reject(new Unreadable('new has 0 bars instead of 1', { isUnavailable: false }));
  second.load(datasetOf('new'));
  expect(await second.marketFor('2024-06-27', NEVER)).toBe(OLD);
  second.stop();
});

test('a run cancelled while it waits for ClickHouse stops waiting', async () => {
  const { markets: tested } = markets();
  tested.load(datasetOf('old'));
  const cancelled = new AbortController();
  const waiting = tested.marketFor('', cancelled.signal);
  cancelled.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
});

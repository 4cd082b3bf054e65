import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImportDatasetRequest, ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import {
  anybody,
  datasetClient,
  headerOf,
  operator,
  outcomeOf,
  uploadOf,
} from '#support/services/dataset-client.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';
import type { ServiceProcess } from '#support/processes/service-process.ts';

const own = testMarketData();
let copy: ServiceProcess;
let other: ReturnType<typeof datasetClient>;

const startCopy = async () => {
  copy = await own.startCopy();
  other = datasetClient(copy.address);
};
const stopCopy = async (signal?: NodeJS.Signals) => {
  other.close();
  await copy.kill(signal);
};
beforeAll(startCopy);
afterAll(() => stopCopy());

const fileOf = (close: number) => Buffer.from(idxFile([{ date: '2024-03-01', close }]));
const importInto = (datasets: typeof other, close: number) =>
  outcomeOf(datasets.importDataset(uploadOf(fileOf(close), { source: 'AAAA.csv' }), operator));

/** Starts an import by that copy, which continues when `finish` is called. */
async function beginImport(datasets: typeof other, close: number) {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  async function* upload(): AsyncGenerator<ImportDatasetRequest> {
    const bytes = fileOf(close);
    yield { part: { $case: 'header', value: headerOf('AAAA.csv') } };
    await finished;
    let isFirst = true;
    // The header has already been sent.
    for await (const part of uploadOf(bytes)) {
      if (!isFirst) yield part;
      isFirst = false;
    }
  }
  const before = (await own.state()).tables.length;
  const outcome = outcomeOf(datasets.importDataset(upload(), operator)).then(
    (told) => told.outcome,
    (error: unknown) => error as Error,
  );
  await expect.poll(async () => (await own.state()).tables.length).toBeGreaterThan(before);
  return { outcome, finish };
}

test('a second copy can start during an import, but its own import is refused with the running process', async () => {
  await stopCopy();
  const { outcome, finish } = await beginImport(own.datasets, 50);
  await startCopy();
  await expect(importInto(other, 60)).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringMatching(
      new RegExp(`an import of AAAA.csv is running on .+ \\(process ${own.pid}\\)`),
    ) as string,
  });
  finish();
  const made = (await outcome) as ImportOutcome;
  expect(made.dataset).toMatchObject({ bars: 1 });
  const served = () => other.getCurrentDataset({}, anybody).then(({ dataset }) => dataset?.version);
  await expect.poll(served).toBe(made.dataset!.version);
});

test('after the importing copy is killed, another one can import, and nothing of the dead import remains', async () => {
  const before = await own.state();
  const { outcome } = await beginImport(other, 70);
  await stopCopy('SIGKILL');
  expect(await outcome).toBeInstanceOf(Error);
  const { outcome: made } = await importInto(own.datasets, 80);
  expect((await own.state()).tables).toEqual(before.tables);
  expect((await own.state()).newest[0]!.version).toBe(made.dataset!.version);
  await startCopy();
});

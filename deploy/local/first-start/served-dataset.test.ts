import { expect, test } from 'vitest';
import { whenServed, type Dataset } from './dataset.ts';
import { firstRun } from './first-run.ts';

const OLD: Dataset = { version: 'synthetic-20240628-1', kind: 'synthetic', broker_data: 'synthetic' };
const IMPORTED: Dataset = { version: 'real-20240628-1', kind: 'real', broker_data: 'real' };

/** A gateway whose health is one of these, each longer than any former bound was, and the last for ever. */
function gateway(...states: { dataset: Dataset | null; data_loaded: boolean; lost_dataset?: string }[]) {
  const usual = { lost_dataset: null, services: { models: 'up', model_workers: 'down' } };
  return {
    get: async <T>() => ({ ...usual, ...(states.length > 1 ? states.shift() : states[0]) }) as T,
  };
}
const cli = { json: async <T>() => ({ served_version: IMPORTED.version }) as T };
const soon = { pauseMs: 1 };

test('a start goes on with the version that it imported, however long the one before still answers', async () => {
  const before = Array.from({ length: 500 }, () => ({ dataset: OLD, data_loaded: true }));
  const loading = Array.from({ length: 500 }, () => ({ dataset: IMPORTED, data_loaded: false }));
  const rest = gateway(...before, ...loading, { dataset: IMPORTED, data_loaded: true });
  expect(await whenServed(cli, rest, { isNew: true, ...soon })).toEqual(IMPORTED);
});

test('a start without an import goes on once whatever is served is in memory', async () => {
  const rest = gateway({ dataset: OLD, data_loaded: false }, { dataset: OLD, data_loaded: true });
  expect(await whenServed(cli, rest, { isNew: false, ...soon })).toEqual(OLD);
});

test('a version that is missing from the store ends the start, and is named', async () => {
  const rest = gateway({ dataset: null, data_loaded: false, lost_dataset: IMPORTED.version });
  await expect(whenServed(cli, rest, { isNew: true, ...soon })).rejects.toThrow(
    `The dataset ${IMPORTED.version} should be served, but is missing`,
  );
});

test('the first run is repeated until it used the served dataset, and names the dataset that it used', async () => {
  const seen = [OLD, OLD, IMPORTED];
  const post = async <T>() =>
    ({
      job_id: 'job_1',
      status: 'succeeded',
      duration_seconds: 1,
      result: { df_result: [], target_date: '2024-06-28', notice: '', dataset: seen.shift() },
    }) as T;
  const rest = { ...gateway({ dataset: IMPORTED, data_loaded: true }), post };
  expect((await firstRun(rest, soon)).dataset).toEqual(IMPORTED);
  seen.push(OLD);
  expect((await firstRun(rest, { ...soon, giveUpAfterMs: 0 })).dataset).toEqual(OLD);
});

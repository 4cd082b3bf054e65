import { beforeEach, expect, test } from 'vitest';
import { ModelEvidence } from '#services/models/record/model-evidence.ts';
import type { RunRow } from '#services/models/store/tables.ts';
import { walkForwardEvidence } from '#models/results/evidence.ts';
import { OPERATOR } from '#shared/runs/operator-runs.ts';
import { emptyRecord, recordedPicks } from '#support/services/record.ts';
import { testRuns } from '#support/services/test-runs.ts';

const own = testRuns();
const store = () => own.parts.record;
const LEVELS = { close: 1_000, entry_low: 990, entry_high: 1_010, stop: 950, target: 1_100 };
const TICKERS = ['AAAA', 'BBBB', 'CCCC', 'DDDD'];
const MODEL = 'model_f_combined';
const isoDay = (i: number) => new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10);

beforeEach(() => emptyRecord(own.database));

/** Daily runs of 130 days with four picks each that gained 9 %, where the average stock lost 1 %. */
async function record(dataset_kind: 'real' | 'synthetic'): Promise<void> {
  for (let i = 0; i < 130; i++) {
    const day = isoDay(i);
    const { api_key_id } = OPERATOR;
    const run = { job_id: `job_${dataset_kind}_${i}`, model_id: MODEL, api_key_id, dataset_version: 'v' };
    const picks = recordedPicks(TICKERS.map((ticker) => ({ ticker, ...LEVELS })));
    await own.database
      .transaction()
      .execute((db) =>
        store().appendRun(db, run as RunRow, { ...picks, dataset_kind, as_of: day, last_date: day }),
      );
    await store().appendOutcome(run, {
      dataset_version: 'v2',
      names: { names: 100, win_rate: 0.25, net_return: -0.01 },
      picks: TICKERS.map((ticker) => ({ ticker, state: 'won', net_return: 0.09, exit_date: null })),
    });
  }
}

test('evidence is the walk-forward figure until the record of daily runs on real markets is long enough', async () => {
  const evidence = new ModelEvidence(store());
  expect(evidence.of(MODEL)).toEqual(walkForwardEvidence(MODEL));
  await record('synthetic');
  await evidence.refresh();
  expect(evidence.of(MODEL)).toEqual(walkForwardEvidence(MODEL));
  await record('real');
  await evidence.refresh();
  expect(evidence.of(MODEL)).toMatchObject({
    source: 'forward_record',
    value: 10,
    from: isoDay(0),
    to: isoDay(129),
    verdict: 'better_than_chance',
    net_return_pct: 9,
    net_return_verdict: 'gain',
  });
  expect(evidence.of('recovery_v4')).toEqual(walkForwardEvidence('recovery_v4'));
});

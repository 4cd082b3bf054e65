import { beforeEach, expect, test } from 'vitest';
import type { RecordedPicks } from '#proto/saring/events/v1/runs.ts';
import type { PicksToResolve, ResolvedPicks } from '#proto/saring/market_data/v1/market_data.ts';
import type { OutcomeBody, VersionBody } from '#services/models/store/record-chain.ts';
import { Resolution } from '#services/models/record/resolution.ts';
import { verify } from '#services/models/record/verification.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { emptyRecord, recordedPicks } from '#support/services/record.ts';
import { testRuns } from '#support/services/test-runs.ts';

const own = testRuns();
const log = createLogger('test', 'silent');
const GOES_ON = new AbortController().signal;
const LEVELS = { close: 1_000, entry_low: 990, entry_high: 1_010, stop: 950, target: 1_100 };
const PICKS = recordedPicks([{ ticker: 'AAAA', ...LEVELS }]);
const store = () => own.parts.record;

/** A market whose outcome of picks the test sets. */
class ScriptedMarket {
  served = { version: 'synthetic-1', kind: 'synthetic', last_date: '2026-09-30', broker_data: 'none' };
  state: ResolvedPicks['picks'][number]['state'] = 'open';
  asked = 0;
  /** The version changes before this many questions are answered. */
  switchesAfter = Infinity;
  /** A stock that breaks the judging of every call that names it. */
  breaksAt = '';

  async version() {
    return this.served;
  }

  async resolve(version: string, runs: PicksToResolve[]): Promise<ResolvedPicks[] | undefined> {
    if (++this.asked > this.switchesAfter || version !== this.served.version) return undefined;
    if (runs.some(({ tickers }) => tickers.includes(this.breaksAt)))
      throw new ServiceError('internal_error', 'a bug');
    return runs.map(({ tickers }) => ({
      picks: tickers.map((ticker) => ({ ticker, state: this.state })),
      names: undefined,
    }));
  }

  serve(version: string, last_date: string, state: ScriptedMarket['state']): void {
    this.served = { ...this.served, version, last_date };
    this.state = state;
  }
}

let market: ScriptedMarket;
const copy = (clock = () => new Date('2026-11-20T03:00:00Z')) =>
  new Resolution({ record: store(), market, clock, log });
const entries = async (kind: string) =>
  (await store().entriesAfter(0, 1_000)).filter((entry) => entry.kind === kind);
const outcomes = async () => (await entries('outcome')).map(({ body }) => body as OutcomeBody);

async function record(count: number, change: Partial<RecordedPicks> = {}): Promise<void> {
  const runs = await Promise.all(Array.from({ length: count }, () => own.accept()));
  for (const run of runs) await own.reportEnd(run, 'succeeded', { ...PICKS, ...change });
  for (const run of runs) await own.untilStatus(run, 'succeeded');
}

beforeEach(async () => {
  market = new ScriptedMarket();
  await emptyRecord(own.database);
  await own.database.deleteFrom('run').execute();
});

test('each change of a pick adds one entry and a repeat adds none, with any number of copies', async () => {
  const copies = [copy(), copy(), copy()];
  const pollAll = () => Promise.all(copies.map((one) => one.poll(GOES_ON)));
  await pollAll();
  await record(20);
  await pollAll();
  expect(await outcomes()).toEqual([]);
  for (const [i, state] of (['bought', 'bought', 'won', 'won', 'lost'] as const).entries()) {
    market.serve(`synthetic-${i + 2}`, `2026-10-0${i + 1}`, state);
    await pollAll();
    await copy().poll(GOES_ON);
  }
  const states = (await outcomes()).map(({ picks }) => picks[0]!.state);
  const counts = ['bought', 'won', 'lost'].map((state) => states.filter((one) => one === state).length);
  expect([counts, states.length]).toEqual([[20, 20, 20], 60]);
  expect((await entries('version')).map(({ body }) => (body as VersionBody).dataset_version)).toEqual(
    [1, 2, 3, 4, 5, 6].map((i) => `synthetic-${i}`),
  );
  expect((await verify(store())).problems).toEqual([]);
});

test('picks that are history or of another kind of market are never queried', async () => {
  await record(1, { as_of: '2026-09-29' });
  await record(1, { dataset_kind: 'real' });
  market.serve('synthetic-2', '2026-10-01', 'won');
  await copy().poll(GOES_ON);
  expect([market.asked, await outcomes()]).toEqual([0, []]);
});

test('a round interrupted by a new version is repeated with that version', async () => {
  await record(20);
  market.serve('synthetic-2', '2026-10-01', 'won');
  market.switchesAfter = 1;
  const resolution = copy();
  await resolution.poll(GOES_ON);
  expect((await outcomes()).length).toBeLessThan(20);
  market.switchesAfter = Infinity;
  await resolution.poll(GOES_ON);
  expect(await outcomes()).toHaveLength(20);
});

test('a run whose picks cannot be judged holds up no others', async () => {
  await record(5);
  await record(1, recordedPicks([{ ticker: 'BAD', ...LEVELS }]));
  await record(5);
  market.serve('synthetic-2', '2026-10-01', 'won');
  market.breaksAt = 'BAD';
  await copy().poll(GOES_ON);
  expect((await outcomes()).map(({ picks }) => picks[0]!.ticker)).toEqual(Array(10).fill('AAAA'));
});

test('a version is compared once, and once more on a later day when its last day is complete', async () => {
  await record(1);
  let today = new Date('2026-10-01T03:00:00Z');
  const resolution = copy(() => today);
  market.serve('synthetic-2', '2026-10-01', 'open');
  await resolution.poll(GOES_ON);
  market.state = 'won';
  await resolution.poll(GOES_ON);
  expect(await outcomes()).toEqual([]);
  today = new Date('2026-10-02T03:00:00Z');
  await resolution.poll(GOES_ON);
  expect((await outcomes()).map(({ picks }) => picks[0]!.state)).toEqual(['won']);
});

test('serving an older version again does not undo an outcome', async () => {
  await record(1);
  const resolution = copy();
  market.serve('synthetic-2', '2026-10-02', 'won');
  await resolution.poll(GOES_ON);
  market.serve('synthetic-1b', '2026-10-01', 'bought');
  await resolution.poll(GOES_ON);
  expect((await outcomes()).map(({ picks }) => picks[0]!.state)).toEqual(['won']);
  market.serve('synthetic-3', '2026-10-02', 'lost');
  await resolution.poll(GOES_ON);
  expect((await outcomes()).map(({ picks }) => picks[0]!.state)).toEqual(['won', 'lost']);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { marketColumns } from '#fields/catalogue/columns.ts';
import { exactValueAt } from '#fields/evaluation/market-columns.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { listedPanel, marketBars } from '#fields/catalogue/market-fixture.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import { knownFields } from './field-catalogue.ts';
import { FieldMarkets, type FieldColumns } from './field-columns.ts';
import type { Caller } from './field-threads.ts';

/** No field of these tests needs broker rows, so nothing connects to it. */
const NO_CLICKHOUSE = { url: 'http://127.0.0.1:1', username: '', password: '', cluster: '' } as never;
const NO_FACTS = knownFields({ facts: [] });
/** Large enough that no field is short work. */
const loaded = loadedOf(listedPanel(marketBars({ seed: 5, tickers: 200, days: 700 })));
/** Each takes about as long as a slice. */
const MANY = ['high_52w', 'low_52w', 'dist_high_52w_pct', 'dist_low_52w_pct', 'value_60d', 'traded_days_60d'];

let markets: FieldMarkets;
let columns: FieldColumns;
beforeEach(() => {
  markets = new FieldMarkets(NO_CLICKHOUSE, 256 * 1_048_576);
  columns = markets.of(loaded);
});
afterEach(() => markets.stop());

const of = (names: string[], caller: Caller) => {
  const rules = parseRules(names.map((name) => `${name} is not null`).join(' and '), FIELDS);
  return columns.forRules(rules, { firstDay: 400, lastDay: 699 }, NO_FACTS, caller);
};

test('fields that nobody waits for any more are given up, and computed anew for whoever comes later', async () => {
  const leaves = new AbortController();
  const abandoned = of(MANY, { signal: leaves.signal });
  const failure = expect(abandoned).rejects.toMatchObject({ code: 'data_unavailable' });
  leaves.abort();
  const stays = { signal: new AbortController().signal };
  expect(Object.keys((await of(['low_52w'], stays)).fields)).toEqual(['low_52w']);
  await failure;
});

test('nothing is computed for a caller who left before it began', async () => {
  const left = { signal: AbortSignal.abort() };
  await expect(of(MANY, left)).rejects.toMatchObject({ code: 'data_unavailable' });
});

test('fields for which another caller waits are computed to the end', async () => {
  const leaves = new AbortController();
  const both = [of(MANY, { signal: leaves.signal }), of(MANY, { signal: new AbortController().signal })];
  leaves.abort();
  for (const { fields } of await Promise.all(both))
    expect(Object.keys(fields).toSorted()).toEqual(MANY.toSorted());
});

test('a key waits for a slice of the work of another one, and not for all of it', async () => {
  const done: string[] = [];
  const [many, one] = ['many', 'one'].map((apiKeyId) => ({
    apiKeyId,
    signal: new AbortController().signal,
  }));
  const first = of(MANY, many!).then(() => done.push('many'));
  const second = of(['rsi_14'], one!).then(() => done.push('one'));
  await Promise.all([first, second]);
  expect(done).toEqual(['one', 'many']);
});

test('an evaluation that does not end is ended once its caller has left, and the next one gets a thread', async () => {
  const leaves = new AbortController();
  const { firstDay: _, ...read } = await of(['close'], { signal: leaves.signal });
  const { where } = parseRules('rank(close) <= 10', FIELDS);
  const endless = { where: { any: Array.from({ length: 20_000 }, () => where!) } };
  const evaluation = { columns: read, day: 0 };
  const run = (rules: object, signal: AbortSignal) =>
    columns.threads.run('membersOfDays', { ...evaluation, rules }, { signal });
  const abandoned = run(endless, leaves.signal);
  const failure = expect(abandoned).rejects.toMatchObject({ code: 'data_unavailable' });
  leaves.abort();
  await failure;
  expect((await run({ where }, new AbortController().signal)).matched).toHaveLength(300);
});

test('a market that begins to answer has the newest day and what the market before had ready, and nobody waits for it', async () => {
  await of(['rsi_14'], { signal: new AbortController().signal });
  const next = loadedOf(listedPanel(marketBars({ seed: 5, tickers: 200, days: 701 })));
  await markets.prepare(next, NO_FACTS);
  const prepared = markets.of(next);
  expect(prepared).not.toBe(columns);
  // What is computed now is not done by the time that one turn of the event loop takes.
  const isReady = async (work: Promise<unknown>) =>
    (await Promise.race([work.then(() => true), new Promise((resolve) => setImmediate(resolve, false))])) ===
    true;
  const caller = { signal: new AbortController().signal };
  const wanted = (name: string) =>
    prepared.forRules(
      parseRules(`${name} is not null`, FIELDS),
      { firstDay: 400, lastDay: 700 },
      NO_FACTS,
      caller,
    );
  const all = [...NO_FACTS.fields.keys()];
  expect(await isReady(prepared.valuesOfDay(all, 700, NO_FACTS, caller))).toBe(true);
  expect(await isReady(wanted('rsi_14'))).toBe(true);
  const other = wanted('low_52w');
  expect(await isReady(other)).toBe(false);
  await other;
});

test('values of a day are those of the same day computed alone, on both sides of where blocks meet', async () => {
  const caller = { signal: new AbortController().signal };
  const names = ['close', 'sma_20', 'volume', 'max_drawdown_20d_pct', 'is_liquid'];
  const panel = loaded.panel;
  for (const day of [699, 640, 639, 0]) {
    const { json } = await columns.valuesOfDay(names, day, NO_FACTS, caller);
    const span = { firstDay: day, lastDay: day };
    const alone = marketColumns(names, { panel, history: regimeHistory(panel) }, span);
    const values = JSON.parse(json) as Record<string, unknown[]>;
    for (const name of names) {
      const ofListed = [...alone.listed.keys()].filter((stock) => alone.listed[stock] === 1);
      expect(values[name], `${name} on day ${day}`).toEqual(
        ofListed.map((stock) => exactValueAt(alone.fields[name]!, stock)),
      );
    }
  }
});

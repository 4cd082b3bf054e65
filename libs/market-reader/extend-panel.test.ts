import { DateDay, makeVector, Table, type RecordBatch } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { arbitraryBars, barBatch, panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { BARS_SINCE_SQL, FIRST_CHANGE_SQL, loadPanel } from './read-panel.ts';

const byTickerAndDate = (a: BarFixture, b: BarFixture) =>
  a.ticker === b.ticker ? (a.date < b.date ? -1 : 1) : a.ticker < b.ticker ? -1 : 1;

/** The first day of which two markets have different bars. */
function firstChange(some: readonly BarFixture[], others: readonly BarFixture[]): string | undefined {
  const days = [...new Set([...some, ...others].map(({ date }) => date))].sort();
  const ofDay = (bars: readonly BarFixture[], day: string) =>
    JSON.stringify(bars.filter(({ date }) => date === day));
  return days.find((day) => ofDay(some, day) !== ofDay(others, day));
}

/** Reads a version of these bars where a panel of others is in memory, from an imitation of its store. */
async function readHolding(bars: readonly BarFixture[], held: readonly BarFixture[]) {
  const since = firstChange(bars, held);
  const read: string[] = [];
  const panel = await loadPanel(
    async function* (sql, { firstDate }): AsyncGenerator<RecordBatch> {
      read.push(sql);
      if (sql === FIRST_CHANGE_SQL && since !== undefined) yield dayBatch(since);
      const rows = bars.filter(({ date }) => date >= String(firstDate));
      if (sql === BARS_SINCE_SQL && rows.length > 0) yield barBatch(rows);
    },
    'new',
    { version: 'old', panel: panelOf(held) },
  );
  return { panel, read };
}

function dayBatch(date: string): RecordBatch {
  const first_date = makeVector({ type: new DateDay(), data: Int32Array.of(epochDayFromIso(date)) });
  return new Table({ first_date }).batches[0]!;
}

test('a version read onto another one in memory is the same as one that is read whole', async () => {
  const anotherDay = fc
    .integer({ min: 0, max: 45 })
    .map((day) => isoFromEpochDay(epochDayFromIso('2024-01-01') + day));
  await fc.assert(
    fc.asyncProperty(arbitraryBars, arbitraryBars, anotherDay, async (held, others, from) => {
      const kept = held.filter(({ date }) => date < from);
      const bars = [...kept, ...others.filter(({ date }) => date >= from)].sort(byTickerAndDate);
      expect((await readHolding(bars, held)).panel.columns).toEqual(panelOf(bars).columns);
    }),
  );
});

test('a version with equal bars is read without any', async () => {
  const bars: BarFixture[] = [{ ticker: 'AAAA', date: '2024-01-02', close: 100 }];
  const { panel, read } = await readHolding(bars, bars);
  expect(panel.columns).toEqual(panelOf(bars).columns);
  expect(read).not.toContain(BARS_SINCE_SQL);
});

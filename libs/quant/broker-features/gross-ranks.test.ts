import { describe, expect, test } from 'vitest';
import { brokerDaysOf } from '../broker-measures/broker-days-fixture.ts';
import { BrokerDays } from '../broker-measures/broker-days.ts';
import { isReference } from '../features/feature-table.ts';
import { FLOW_FEATURES } from './gross-features.ts';
import { flowTableOf } from './flow-table-fixture.ts';
import { GrossRanks } from './gross-ranks.ts';
import { randomFlowMarket } from './random-flow-fixture.ts';
import { RowWindows } from './row-windows.ts';

const market = randomFlowMarket(5, { tickers: 80, days: 100 });
const { panel } = market;
const table = flowTableOf(panel);
const brokerDays = brokerDaysOf(panel, market.flow);
const SETTINGS = { days: 10, group: 'bandar' } as const;

const rowsBetween = (from: number, to: number, isWanted: (row: number) => boolean = () => true) =>
  Uint32Array.from(Array.from({ length: to - from }, (_, i) => from + i).filter(isWanted));
const isAmongReferences = (row: number) =>
  isReference(panel.columns.close[table.columns.panelRow[row]!]!, table.columns.averageValue[row]!);
const daysRows = (firstDay: number, lastDay: number, isWanted?: (row: number) => boolean) =>
  rowsBetween(table.rowsOf(firstDay).from, table.rowsOf(lastDay).to, isWanted);

/** Values of all features, one array per row. */
function read(ranks: GrossRanks, rows: Uint32Array): number[][] {
  const out = ranks.names.map(() => new Float32Array(rows.length).fill(NaN));
  ranks.read(rows, out);
  return Array.from(rows, (_, i) => out.map((column) => column[i]!));
}
const ranksOf = (days = brokerDays) => new GrossRanks(table, days, FLOW_FEATURES, SETTINGS);

describe('ranks of a day', () => {
  test('scale the share of lower reference names to -1 to 1, and are 0 for an unknown value', () => {
    const day = 90;
    const windows = new RowWindows(brokerDays, SETTINGS, panel.dayCount);
    const rows = daysRows(day, day);
    const found = read(ranksOf(), rows);
    for (const [feature, { of, name }] of FLOW_FEATURES.entries()) {
      const values = Array.from(rows, (row) => {
        windows.turnTo(table.columns.ticker[row]!, 0, day);
        windows.moveTo(day, table.columns.averageValue[row]!);
        return Math.fround(of(windows));
      });
      const references = values.filter((value, i) => Number.isFinite(value) && isAmongReferences(rows[i]!));
      if (references.length < 20) continue;
      values.forEach((value, i) => {
        const below = references.filter((other) => other < value).length;
        const tied = references.filter((other) => other === value).length;
        const expected = Number.isFinite(value) ? (2 * (below + tied / 2)) / references.length - 1 : 0;
        expect(Math.abs(found[i]![feature]! - expected), name).toBeLessThan(1 / 127);
      });
    }
  });

  test('are finite on a market without broker rows, and 0 except for negotiated trades', () => {
    const found = read(ranksOf(new BrokerDays(panel)), daysRows(0, 99));
    const ofBrokers = FLOW_FEATURES.flatMap(({ name }, i) => (name.startsWith('nego') ? [] : [i]));
    expect(found.length).toBeGreaterThan(4_000);
    for (const row of found) {
      expect(row.every(Number.isFinite)).toBe(true);
      expect(ofBrokers.every((feature) => row[feature] === 0)).toBe(true);
    }
  });

  test('do not depend on earlier reads', () => {
    const inParts = ranksOf();
    read(inParts, daysRows(60, 62));
    read(inParts, daysRows(70, 70));
    const rows = daysRows(50, 95);
    expect(read(inParts, rows)).toEqual(read(ranksOf(), rows));
    const references = daysRows(50, 95, isAmongReferences);
    expect(read(inParts, references)).toEqual(read(ranksOf(), references));
  });

  test('of reference names do not change when the other names are ranked too', () => {
    const [rows, references] = [daysRows(50, 95), daysRows(50, 95, isAmongReferences)];
    const among = read(ranksOf(), rows).filter((_, i) => isAmongReferences(rows[i]!));
    // Too few names have negotiated trades. With fewer than twenty reference names, all names are ranked among each other.
    const compared = (row: number[]) => row.filter((_, i) => FLOW_FEATURES[i]!.name !== 'nego_premium_flow');
    expect(read(ranksOf(), references).map(compared)).toEqual(among.map(compared));
  });

  test('are empty for no rows', () => {
    expect(read(ranksOf(), new Uint32Array(0))).toEqual([]);
  });
});

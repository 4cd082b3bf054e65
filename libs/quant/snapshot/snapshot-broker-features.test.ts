import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classFlowColumns, ClassFlows } from '../broker-rows/class-flows.ts';
import type { DaySpan } from '../panel/ranges.ts';
import { brokerFlowOf, type FlowRowFixture } from '../broker-rows/flow-fixture.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { dailyBars, panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import type { Panel } from '../panel/panel.ts';
import { brokerFeatures } from './snapshot-broker-features.ts';
import { NO_BROKER_FEATURES } from './snapshot-features.ts';
import { BROKER_TABLE } from '../broker-features/random-flow-fixture.ts';

const DAY_ZERO = epochDayFromIso('2024-01-01');
const dateOf = (day: number) => isoFromEpochDay(DAY_ZERO + day);

const daysOf = (count: number, bar: (day: number) => Partial<BarFixture> = () => ({})): Panel =>
  panelOf(dailyBars(count, (day) => ({ close: 100, ...bar(day) })));

function featuresOf(panel: Panel, rows: FlowRowFixture[], asOfDay = panel.dayCount - 1, span?: DaySpan) {
  const brokerFlow = brokerFlowOf(panel, rows, BROKER_TABLE, span);
  const classFlows = new ClassFlows(classFlowColumns(panel, brokerFlow));
  return brokerFeatures(panel, { brokerFlow, classFlows }, 0, asOfDay);
}

/** A retail broker sells `value` to a local institution on a day; for a negative value, the reverse. */
function sold(day: number, value: number): FlowRowFixture[] {
  const row = { ticker: 'AAAA', date: dateOf(day) };
  const [bought, given] = [Math.max(0, value), Math.max(0, -value)];
  return [
    { ...row, broker: 'CC', buy_value: bought, sell_value: given },
    { ...row, broker: 'XL', buy_value: given, sell_value: bought },
  ];
}

test('all are null before the held days or without rows', () => {
  const panel = daysOf(30);
  expect(featuresOf(panel, sold(29, 1), 20, { firstDay: 25, lastDay: 29 })).toEqual(NO_BROKER_FEATURES);
  expect(featuresOf(panel, [])).toEqual(NO_BROKER_FEATURES);
});

describe('the largest brokers of a day', () => {
  const panel = daysOf(1);
  const row = (broker: string, buy_value: number, sell_value: number, mode?: 'net') => ({
    ticker: 'AAAA',
    date: dateOf(0),
    broker,
    buy_value,
    sell_value,
    ...(mode && { mode }),
  });
  /** Nets: 50 40 30 20 10 5 bought, and 75 and 80 sold. B6 is the largest gross buyer. */
  const rows = [
    row('B1', 50, 0),
    row('B2', 40, 0),
    row('B3', 30, 0),
    row('B4', 20, 0),
    row('B5', 10, 0),
    row('B6', 105, 100),
    row('S1', 0, 75),
    row('S2', 0, 80),
  ];

  test('have a share of gross buying', () => {
    const { top5_buyer_share_pct } = featuresOf(panel, rows);
    expect(top5_buyer_share_pct).toBeCloseTo((100 * (105 + 50 + 40 + 30 + 20)) / 255, 10);
  });

  test('have a score of the top five net buyers minus the top five net sellers, relative to all net buying', () => {
    expect(featuresOf(panel, rows).accum_score).toBeCloseTo((100 * (150 - 155)) / 155, 10);
    const mirrored = rows.map((of) => ({ ...of, buy_value: of.sell_value, sell_value: of.buy_value }));
    expect(featuresOf(panel, mirrored).accum_score).toBeCloseTo((100 * (155 - 150)) / 155, 10);
  });

  test('have a score of 0 with few brokers on each side, and none without net trading', () => {
    expect(featuresOf(panel, [row('B1', 7, 0), row('S1', 0, 7)]).accum_score).toBe(0);
    expect(featuresOf(panel, [row('B1', 7, 7)])).toMatchObject({
      accum_score: null,
      top5_buyer_share_pct: 100,
    });
  });

  test('have a score but no gross share when only net rows exist', () => {
    const nets = [row('B1', 30, 0, 'net'), row('S1', 0, 30, 'net')];
    expect(featuresOf(panel, nets)).toMatchObject({ accum_score: 0, top5_buyer_share_pct: null });
  });

  test('stay within their bounds for any rows', () => {
    const side = fc.nat(1_000);
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side), { minLength: 1, maxLength: 12 }), (sides) => {
        const any = sides.map(([bought, given], i) => row(`B${10 + i}`, bought, given));
        const { accum_score, top5_buyer_share_pct } = featuresOf(panel, any);
        if (accum_score !== null) expect(Math.abs(accum_score)).toBeLessThanOrEqual(100);
        if (top5_buyer_share_pct === null) return;
        expect(top5_buyer_share_pct).toBeGreaterThan(0);
        expect(top5_buyer_share_pct).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe('the divergence of smart money and price', () => {
  /** 70 days on which price and flow rise and fall together, except on the last day. */
  const swing = (day: number) => (day % 2 === 0 ? 1 : -1);
  const close = (day: number) => 100 + 2 * swing(day);
  const rowsOf = (days: number, last: number) =>
    Array.from({ length: days }, (_, day) => sold(day, day === days - 1 ? last : 10 * swing(day))).flat();
  const panel = daysOf(70, (day) => ({ close: close(day) }));

  test('is the z-score of 5-day buying minus that of the 5-bar return, over 60 bars', () => {
    const rows = rowsOf(70, 500);
    const values = Array.from({ length: 60 }, (_, i) => 10 + i).map((day) => {
      const nets = Array.from({ length: 5 }, (_, back) => (day - back === 69 ? 500 : 10 * swing(day - back)));
      return { flow: nets.reduce((sum, net) => sum + net, 0), ret: close(day) / close(day - 5) - 1 };
    });
    const expected = zOfLast(values.map(({ flow }) => flow)) - zOfLast(values.map(({ ret }) => ret));
    expect(featuresOf(panel, rows).smart_money_divergence).toBeCloseTo(expected, 9);
    expect(expected).toBeGreaterThan(5);
  });

  test('counts foreign buying from the exchange’s own figures', () => {
    const bought = daysOf(70, (day) => ({ close: close(day), ...(day === 69 ? { foreign_buy: 5 } : {}) }));
    const [without, with500] = [panel, bought].map(
      (of) => featuresOf(of, rowsOf(70, -10)).smart_money_divergence!,
    );
    expect(with500! - without!).toBeGreaterThan(5);
  });

  test('needs 40 known bars of the 60, including the last', () => {
    const known = (from: number) => rowsOf(70, 500).filter(({ date }) => date >= dateOf(from));
    expect(featuresOf(panel, known(26)).smart_money_divergence).not.toBeNull();
    expect(featuresOf(panel, known(27)).smart_money_divergence).toBeNull();
    expect(featuresOf(panel, rowsOf(69, 500)).smart_money_divergence).toBeNull();
    expect(
      featuresOf(
        panel,
        rowsOf(70, 500).filter(({ date }) => date !== dateOf(66)),
      ).smart_money_divergence,
    ).toBeNull();
  });

  test('does not exist when price or flow never change', () => {
    expect(featuresOf(daysOf(70), rowsOf(70, 500)).smart_money_divergence).toBeNull();
    const still = Array.from({ length: 70 }, (_, day) => sold(day, 10)).flat();
    expect(featuresOf(panel, still).smart_money_divergence).toBeNull();
  });
});

test('no broker row after the as-of day changes a feature', () => {
  const panel = daysOf(80, (day) => ({ close: 100 + ((day * 37) % 11) }));
  const rows = Array.from({ length: 80 }, (_, day) => sold(day, ((day * 53) % 29) - 14)).flat();
  for (const asOf of [10, 60, 70]) {
    const known = rows.filter(({ date }) => date <= dateOf(asOf));
    expect(featuresOf(panel, rows, asOf)).toEqual(featuresOf(panel, known, asOf));
  }
});

function zOfLast(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return (values.at(-1)! - mean) / Math.sqrt(variance);
}

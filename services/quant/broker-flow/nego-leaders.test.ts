import { expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import { brokerFlowOf, type FlowRowFixture } from './flow-fixture.ts';
import { negoLeaders } from './nego-leaders.ts';

const [MON, TUE] = ['2024-06-24', '2024-06-25'] as const;
const deal = { close: 100, nego_volume: 100, nego_value: 10_000 };
const panel = panelOf([
  { ticker: 'AAAA', date: MON, ...deal },
  { ticker: 'AAAA', date: TUE, ...deal },
]);
const row = (date: string, broker: string, buy_value: number, sell_value: number): FlowRowFixture => ({
  ...{ ticker: 'AAAA', date, market: 'NEGO', broker, buy_value, sell_value },
});
const MONDAY = [row(MON, 'AP', 9_000, 9_000), row(MON, 'XL', 1_000, 0), row(MON, 'YP', 0, 1_000)];

function leaders(rows: FlowRowFixture[], firstDay = 0, lastDay = firstDay): (string | undefined)[] {
  const flow = brokerFlowOf(panel, rows);
  const { buyer, seller } = negoLeaders(panel, flow, 0, firstDay, lastDay);
  return [flow.columns.brokers.codes[buyer], flow.columns.brokers.codes[seller]];
}

test('the broker that crossed a block leads both sides', () => {
  expect(leaders(MONDAY)).toEqual(['AP', 'AP']);
});

test('over several days the sums decide, equal ones by code', () => {
  const tuesday = [row(TUE, 'XL', 9_000, 2_000), row(TUE, 'YP', 1_000, 8_000)];
  expect(leaders([...MONDAY, ...tuesday], 0, 1)).toEqual(['XL', 'AP']);
  expect(leaders([row(MON, 'CC', 5, 0), row(MON, 'BB', 5, 10)])).toEqual(['BB', 'BB']);
});

test('nobody leads a side that nobody took', () => {
  expect(leaders([row(MON, 'CC', 5, 0)])).toEqual(['CC', undefined]);
});

test('who leads is not known while rows of a day with such trades are missing, or only nets are known', () => {
  expect(leaders(MONDAY, 0, 1)).toEqual([undefined, undefined]);
  expect(leaders([])).toEqual([undefined, undefined]);
  expect(leaders(MONDAY.map((one) => ({ ...one, mode: 'net' })))).toEqual([undefined, undefined]);
});

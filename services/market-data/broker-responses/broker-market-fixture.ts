import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';

export const TODAY = '2024-12-31';
/** Friday to Wednesday, without the weekend. */
export const [FRI, MON, TUE, WED] = ['2024-01-05', '2024-01-08', '2024-01-09', '2024-01-10'] as const;

const TABLE = [
  { code: 'AK', name: 'UBS', is_foreign: true },
  { code: 'AP', name: 'Pacific' },
  { code: 'CC', name: 'Mandiri' },
  { code: 'XL', name: 'Stockbit', is_retail: true },
];

/** AAAA is split 1:5 on Tuesday. BBBB trades the same every day, but has broker rows on Wednesday only. */
export const panel = panelOf([
  { ticker: 'AAAA', date: FRI, close: 990, volume: 300 },
  {
    ticker: 'AAAA',
    date: MON,
    close: 1_000,
    volume: 400,
    value: 402_000,
    foreign_buy: 150,
    foreign_sell: 50,
  },
  {
    ticker: 'AAAA',
    date: TUE,
    close: 210,
    volume: 1_000,
    value: 205_000,
    factor: 0.2,
    share_factor: 0.2,
  },
  {
    ticker: 'AAAA',
    date: WED,
    close: 220,
    volume: 500,
    value: 110_000,
    nego_volume: 200,
    nego_value: 46_000,
    nego_frequency: 2,
  },
  ...[FRI, MON, TUE, WED].map((date) => ({ ticker: 'BBBB', date, close: 50 })),
]);

/** Each side is [shares, IDR]. */
const row = (
  date: string,
  broker: string,
  [buy_shares, buy_value]: [number, number],
  [sell_shares, sell_value]: [number, number],
  more: Partial<FlowRowFixture> = {},
): FlowRowFixture => ({
  ticker: 'AAAA',
  date,
  broker,
  buy_shares,
  buy_value,
  sell_shares,
  sell_value,
  ...more,
});

export const ROWS: FlowRowFixture[] = [
  row(MON, 'AK', [300, 301_500], [0, 0]),
  row(MON, 'CC', [100, 100_500], [350, 351_750]),
  row(MON, 'XL', [0, 0], [50, 50_250]),
  row(TUE, 'AK', [0, 0], [500, 102_500]),
  row(TUE, 'CC', [500, 102_500], [500, 102_500]),
  row(TUE, 'XL', [500, 102_500], [0, 0]),
  row(WED, 'AK', [0, 0], [500, 110_000]),
  row(WED, 'ZZ', [500, 110_000], [0, 0]),
  row(WED, 'AP', [150, 34_500], [200, 46_000], { market: 'NEGO' }),
  row(WED, 'XL', [50, 11_500], [0, 0], { market: 'NEGO' }),
  row(WED, 'AK', [1_000, 50_000], [0, 0], { ticker: 'BBBB' }),
  row(WED, 'CC', [0, 0], [1_000, 50_000], { ticker: 'BBBB' }),
];

export const marketOfRows = (rows: FlowRowFixture[]) => loadedOf(panel, {}, brokerFlowOf(panel, rows, TABLE));

/**
 * The same with only net rows on Tuesday, whose shares and value are on different sides: AK bought 2 shares more than
 * it sold, for 1.5 billion less.
 */
export const partlyNetMarket = marketOfRows([
  ...ROWS.filter(({ date }) => date !== TUE),
  row(TUE, 'AK', [2, 0], [0, 1_500_000_000], { mode: 'net' }),
  row(TUE, 'XL', [0, 1_500_000_000], [2, 0], { mode: 'net' }),
]);

export const brokerMarket = marketOfRows(ROWS);

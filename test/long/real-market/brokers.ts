import { beforeAll, describe, expect, test } from 'vitest';
import { WHILE_SENDING } from '#support/fuzzing/fuzz-client.ts';
import { byBroker, CsvBrokers, netValue, type CsvBrokerRow } from '#support/real-market/csv-brokers.ts';
import { foreignNet, sumOf } from '#support/real-market/csv-market.ts';
import { needingRealMarket, testRealMarket } from '#support/real-market/test-real-market.ts';
import { REAL_BROKER_ROWS } from '#support/real-market/real-archive.ts';
import { saring } from '#support/fleets/saring-cli.ts';

/** 120 trading days before this day, the 1:2 split of BBNI had not happened. */
const LAST_DAY = '2024-01-31';
const BBNI_SPLIT_DAY = '2023-10-06';
/** Among these, only BUMI has real broker rows for these days. */
const TICKERS = ['BUMI', 'BBCA', 'BBNI', 'BMRI', 'TLKM', 'BYAN', 'GOTO', 'PTBA'];
const DECIMALS = 3;

interface Listed {
  broker: string;
  buy_shares: number;
  buy_value: number;
  avg_buy_price: number | null;
  sell_shares: number;
  sell_value: number;
  avg_sell_price: number | null;
  net_value: number;
  is_retail: boolean;
  is_foreign: boolean;
}
interface Brokers extends Record<string, unknown> {
  totals: Record<string, number>;
  top_buyers: Listed[];
  top_sellers: Listed[];
}

const net = ({ buyValue, sellValue }: CsvBrokerRow) => buyValue - sellValue;
const total = (rows: CsvBrokerRow[], figure: (row: CsvBrokerRow) => number) =>
  rows.reduce((sum, row) => sum + figure(row), 0);
const bought = (rows: CsvBrokerRow[]) =>
  rows.toSorted((a, b) => net(b) - net(a)).filter((row) => net(row) > 0);
const sold = (rows: CsvBrokerRow[]) => rows.toSorted((a, b) => net(a) - net(b)).filter((row) => net(row) < 0);

describe(`brokers of real stocks up to ${LAST_DAY}`, needingRealMarket, () => {
  const own = testRealMarket(TICKERS, LAST_DAY);

  async function published(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await saring(own.fleet.stateDir, 'dataset', ...words, '--json');
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { dataset: { version: string } }).dataset.version;
  }

  describe('with the real rows of BUMI', () => {
    let csv: CsvBrokers;
    let version: string;
    /** The last `count` trading days. */
    const days = (count: number) => own.csv.dates.slice(-count);
    const bars = (count: number) => own.csv.days('BUMI', count);
    beforeAll(async () => {
      csv = new CsvBrokers('BUMI');
      version = await published('import', REAL_BROKER_ROWS);
    });

    test('a day lists what each broker bought and sold, the largest brokers and the broker classes', async () => {
      const rows = csv.on([LAST_DAY]);
      const response = await own.get<Brokers>('stocks/bumi/brokers?top_n=5');
      expect(response).toMatchObject({
        date: LAST_DAY,
        close: 91,
        mode: 'gross',
        is_partial: false,
        broker_count: rows.length,
        dataset_version: version,
        broker_data: 'real',
      });
      const shares = total(rows, ({ buyShares }) => buyShares);
      expect(response['coverage_pct']).toBeCloseTo((100 * shares) / bars(1)[0]!.volume, DECIMALS);
      expect(response.totals).toMatchObject({
        buy_value: total(rows, ({ buyValue }) => buyValue),
        net_value: 0,
        buy_shares: shares,
        foreign_net_value: csv.net('foreign', [LAST_DAY]),
        retail_net_value: csv.net('retail', [LAST_DAY]),
        bandar_net_value: csv.net('bandar', [LAST_DAY]),
        top5_buyer_net_value: total(bought(rows).slice(0, 5), net),
        top5_seller_net_value: total(sold(rows).slice(0, 5), net),
      });
      const gross = rows.map(({ buyValue }) => buyValue).toSorted((a, b) => b - a);
      const concentration = (100 * sum(gross.slice(0, 5))) / sum(gross);
      expect(response.totals['concentration_pct']).toBeCloseTo(concentration, DECIMALS);
      expect(response.totals['foreign_investor_net_value']).toBeCloseTo(foreignNet(bars(1)[0]!), 0);
      expect(response.top_buyers.map(({ broker, net_value }) => [broker, net_value])).toEqual(
        bought(rows)
          .slice(0, 5)
          .map((row) => [row.broker, net(row)]),
      );
      for (const [i, row] of sold(rows).slice(0, 5).entries()) {
        const seller = response.top_sellers[i]!;
        expect(seller).toMatchObject({
          broker: row.broker,
          sell_value: row.sellValue,
          sell_shares: row.sellShares,
        });
        expect(seller.avg_sell_price).toBeCloseTo(row.sellValue / row.sellShares, DECIMALS);
        expect(seller.is_retail).toBe(csv.classOf(row.broker) === 'retail');
        expect(seller.is_foreign).toBe(csv.classOf(row.broker) === 'foreign');
      }
    });

    test('a window adds up its days, and an average price is value divided by shares', async () => {
      const rows = byBroker(csv.on(days(10)));
      const window = await own.get<Brokers & { brokers: (Listed & Record<string, number>)[] }>(
        'stocks/BUMI/brokers/window?top_n=50',
      );
      expect(window).toMatchObject({ trading_days: 10, partial_days: 0, date_from: days(10)[0] });
      expect(window['broker_count']).toBe(rows.length);
      expect(window.top_sellers.map(({ broker }) => broker)).toEqual(
        sold(rows)
          .slice(0, 50)
          .map(({ broker }) => broker),
      );
      const [largest] = bought(rows) as [CsvBrokerRow];
      const listed = window.brokers.find(({ broker }) => broker === largest.broker)!;
      const active = csv.on(days(10), largest.broker);
      expect(listed).toMatchObject({
        buy_value: largest.buyValue,
        sell_shares: largest.sellShares,
        net_value: net(largest),
        active_days: active.length,
        net_buy_days: bought(active).length,
        net_sell_days: sold(active).length,
      });
      expect(listed.avg_buy_price).toBeCloseTo(largest.buyValue / largest.buyShares, DECIMALS);
    });

    test('a timeline of calendar days accumulates day by day and gives its final streak', async () => {
      interface Timeline {
        date_from: string;
        timeline: { date: string; net_value: number; cum_net_value: number }[];
        signals: { first_net_buy_date: string; current_streak: Record<string, unknown> };
        summary: Record<string, number>;
      }
      const { date_from, timeline, signals, summary } = await own.get<Timeline>(
        'stocks/BUMI/brokers/xl/timeline?days=60',
      );
      expect(date_from).toBe('2023-12-03');
      const rows = csv.on(
        own.csv.dates.filter((date) => date >= date_from),
        'XL',
      );
      expect(timeline.map(({ date, net_value }) => [date, net_value])).toEqual(
        rows.map((row) => [row.date, net(row)]),
      );
      expect(timeline.at(-1)!.cum_net_value).toBe(netValue(rows));
      expect(summary).toMatchObject({ net_value: netValue(rows), active_days: rows.length });
      const cost = total(rows, ({ buyValue }) => buyValue) / total(rows, ({ buyShares }) => buyShares);
      expect(summary['avg_cost']).toBeCloseTo(cost, DECIMALS);
      expect(summary['unrealised_pct']).toBeCloseTo(100 * (91 / cost - 1), 2);
      expect(signals.first_net_buy_date).toBe(rows.find((row) => net(row) > 0)!.date);
      const side = Math.sign(net(rows.at(-1)!));
      const streak = rows.slice(rows.findLastIndex((row) => Math.sign(net(row)) === -side) + 1);
      expect(signals.current_streak).toEqual({
        side: side > 0 ? 'ACCUMULATION' : 'DISTRIBUTION',
        start_date: streak[0]!.date,
        days: streak.length,
        net_value: netValue(streak),
        is_cut: expect.any(Boolean) as boolean,
      });
    });

    test('the stocks of a broker have its trades and its share of the turnover', async () => {
      interface Stocks {
        accumulated: Record<string, unknown>[];
        distributed: Record<string, unknown>[];
      }
      const { accumulated, distributed } = await own.get<Stocks>('brokers/XL/stocks');
      const rows = csv.on(days(5), 'XL');
      const [stock, ...others] = [...accumulated, ...distributed];
      expect(others).toEqual([]);
      expect(accumulated).toHaveLength(netValue(rows) > 0 ? 1 : 0);
      expect(stock).toMatchObject({
        ticker: 'BUMI',
        close: 91,
        net_value: netValue(rows),
        net_buy_days: bought(rows).length,
        buy_value: total(rows, ({ buyValue }) => buyValue),
      });
      const half = total(rows, ({ buyValue, sellValue }) => buyValue + sellValue) / 2;
      const turnover = sumOf(bars(5), ({ value }) => value);
      expect(stock!['share_of_turnover_pct']).toBeCloseTo((100 * half) / turnover, DECIMALS);
      const before = own.csv.days('BUMI', 6)[0]!.close;
      expect(stock!['price_change_pct']).toBeCloseTo(100 * (91 / before - 1), DECIMALS);
    });

    test('flows and features use the class nets, and are null for stocks without broker rows', async () => {
      interface Flows {
        inflow: { ticker: string; net_value: number }[];
        outflow: { ticker: string; net_value: number }[];
      }
      for (const flow_type of ['retail', 'bandar'] as const) {
        const floors = 'min_abs_val=0&min_price=0&min_daily_val=0&max_price_change_pct=1000';
        const query = `flow_type=${flow_type}&days=20&${floors}`;
        const { inflow, outflow } = await own.get<Flows>(`flows?${query}`);
        expect([...inflow, ...outflow]).toMatchObject([
          { ticker: 'BUMI', net_value: csv.net(flow_type, days(20)) },
        ]);
      }
      const { features } = await own.get<{ features: Record<string, number | null> }>('stocks/BUMI');
      for (const [count, of] of [
        [1, 'bandar'],
        [5, 'bandar'],
        [20, 'bandar'],
        [1, 'retail'],
        [5, 'retail'],
      ] as const) {
        expect(features[`${of}_net_value_${count}d`]).toBe(csv.net(of, days(count)));
      }
      const bbca = await own.get<{ features: Record<string, number | null> }>('stocks/BBCA');
      expect(bbca.features).toMatchObject({ bandar_net_value_1d: null, top5_buyer_share_pct: null });
      const missing = await own.rest.get('/api/v1/data/stocks/BBCA/brokers');
      expect(missing.status).toBe(404);
    });

    test('rows that do not fit the dataset are rejected, each with its reason', async () => {
      const { stdout } = await saring(own.fleet.stateDir, 'dataset', 'rejected', '--json', '--limit', '1000');
      const { rows } = JSON.parse(stdout) as { rows: { reason: string }[] };
      expect(rows.map(({ reason }) => reason)).toContain('day outside the days of the dataset');
    });
  });

  describe('with synthetic rows', () => {
    let version: string;
    beforeAll(async () => {
      version = await published('import', own.archive, '--synthesize-brokers', '--replace');
    });

    test('are labelled synthetic and add up to the exchange’s figures of the day', async () => {
      const day = own.csv.days('BBCA').at(-1)!;
      const regular = await own.get<Brokers>('stocks/BBCA/brokers');
      expect(regular).toMatchObject({
        dataset_version: version,
        broker_data: 'synthetic',
        coverage_pct: 100,
      });
      expect(version).toMatch(/synthetic-brokers$/);
      expect(regular.totals).toMatchObject({
        buy_value: day.value,
        sell_value: day.value,
        buy_shares: day.volume,
      });
      const nego = await own.get<Brokers>('stocks/BBCA/nego/brokers?top_n=50');
      expect(nego.totals).toMatchObject({
        buy_value: day.non_regular_value,
        sell_value: day.non_regular_value,
        buy_shares: day.non_regular_volume,
      });
      expect(nego['nego_avg_price']).toBeCloseTo(day.non_regular_value / day.non_regular_volume, DECIMALS);
      expect(sum(nego.top_buyers.map(({ buy_value }) => buy_value))).toBe(day.non_regular_value);
      expect(nego['nego_premium']).toBeCloseTo(day.non_regular_value / day.non_regular_volume / 9_550 - 1, 5);
    });

    test('a window over the 1:2 split of BBNI adjusts shares so that prices are comparable', async () => {
      const window = await own.get<Brokers>('stocks/BBNI/brokers/window?days=120&top_n=50');
      const days = own.csv.days('BBNI', 120);
      const isBefore = (date: string) => date < BBNI_SPLIT_DAY;
      expect(days.filter(({ date }) => isBefore(date)).length).toBeGreaterThan(20);
      expect(window.totals['buy_value']).toBe(sumOf(days, ({ value }) => value));
      expect(window.totals['buy_shares']).toBe(
        sumOf(days, ({ date, volume }) => volume * (isBefore(date) ? 2 : 1)),
      );
      for (const { avg_buy_price } of window.top_buyers) {
        expect(avg_buy_price).toBeGreaterThan(4_000);
        expect(avg_buy_price).toBeLessThan(6_500);
      }
    });

    test('every endpoint answers valid requests as declared', WHILE_SENDING, async () => {
      await own.checkResponsesAgainstTheDocument();
    });
  });
});

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { WHILE_SENDING } from '#support/fuzzing/fuzz-client.ts';
import { adjustments, changePct, foreignNet, sumOf, type CsvDay } from '#support/real-market/csv-market.ts';
import { expectedPriceFeatures } from '#support/real-market/expected-features.ts';
import { needingRealMarket, testRealMarket } from '#support/real-market/test-real-market.ts';

/** Twelve trading days after the 1:5 split of BBCA, so that the data covers both sides of the split. */
const LAST_DAY = '2021-10-29';
const SPLIT_DAY = '2021-10-13';
/** Large and small stocks, split ones (BBCA, UNVR), block trades, and stocks suspended on the last day (from GIAA on). */
const TICKERS = [
  'BBCA',
  'BBRI',
  'BMRI',
  'BBNI',
  'TLKM',
  'ASII',
  'UNVR',
  'BUMI',
  'BYAN',
  'ADRO',
  'PTBA',
  'ANTM',
  'ICBP',
  'KLBF',
  'UNTR',
  'FREN',
  'MLPL',
  'ARTO',
  'TCPI',
  'CARE',
  'GEMS',
  'SMMA',
  'RELI',
  'BOGA',
  'GIAA',
  'SRIL',
  'ELTY',
  'JGLE',
  'LIFE',
  'RMBA',
];
/** One digit less than the responses, which are rounded to four decimals, fractions to six. */
const [DECIMALS, FRACTION_DECIMALS] = [3, 5];
const BILLION = 1e9;

const negoValue = ({ non_regular_value }: CsvDay) => non_regular_value;
const negoVolume = ({ non_regular_volume }: CsvDay) => non_regular_volume;
const negoFrequency = ({ non_regular_frequency }: CsvDay) => non_regular_frequency;

describe(`thirty real stocks up to ${LAST_DAY}`, needingRealMarket, () => {
  const own = testRealMarket(TICKERS, LAST_DAY);
  /** Closes adjusted to the terms of the last day. */
  const adjustedCloses = (ticker: string) => {
    const days = own.csv.days(ticker);
    return adjustments(days).map((scale, i) => days[i]!.close * scale);
  };

  test('quotes equal the closes and changes of the exchange, and omit suspended stocks', async () => {
    interface Quotes {
      quotes: Record<string, { close: number; change_pct: number; date: string }>;
    }
    const { quotes } = await own.get<Quotes>(`quotes?tickers=${TICKERS.join().toLowerCase()},GOTO`);
    const traded = own.csv.on(LAST_DAY).filter(({ volume }) => volume > 0);
    expect(Object.keys(quotes).toSorted()).toEqual(traded.map(({ ticker }) => ticker).toSorted());
    expect(quotes).not.toHaveProperty('GIAA');
    expect(quotes['BBCA']).toEqual({ close: 7_475, change_pct: 1.3559, date: LAST_DAY });
    for (const day of traded) {
      expect(quotes[day.ticker]!.close).toBe(day.close);
      expect(quotes[day.ticker]!.change_pct).toBeCloseTo(changePct(day), DECIMALS);
    }
  });

  describe('the snapshot of BBCA around its 1:5 split', () => {
    type Bar = Record<'open' | 'high' | 'low' | 'close' | 'volume' | 'value' | 'change_pct', number>;
    interface Snapshot {
      ohlcv: (Bar & { date: string })[];
      features: Record<string, number | null>;
    }
    let { ohlcv, features } = {} as Snapshot;
    beforeAll(async () => {
      ({ ohlcv, features } = await own.get<Snapshot>('stocks/bbca?days=250'));
    });

    test('has no price jump, five times the shares before the split, and unchanged turnover', () => {
      const split = ohlcv.findIndex(({ date }) => date === SPLIT_DAY);
      // 36,600 is 7,320 per new share, which the exchange rounded to 7,325; 18,213,400 old shares are five times as many new ones.
      expect(ohlcv[split - 1]).toMatchObject({ close: 7_320, volume: 91_067_000, value: 664_434_375_000 });
      expect(ohlcv[split]).toMatchObject({ close: 7_525, volume: 210_893_300, value: 1_602_811_070_000 });
      expect(ohlcv[split]!.change_pct).toBeCloseTo(100 * (7_525 / 7_325 - 1), DECIMALS);
      const changes = ohlcv.slice(1).map(({ close }, i) => 100 * (close / ohlcv[i]!.close - 1));
      expect(Math.max(...changes.map(Math.abs))).toBeLessThan(7);
    });

    test('has each bar of the file, adjusted before the split', () => {
      const days = own.csv.days('BBCA', 250);
      expect(ohlcv.map(({ date }) => date)).toEqual(days.map(({ date }) => date));
      ohlcv.forEach((bar, i) => {
        const { high, low, close, value, volume, previous, open_price } = days[i]!;
        const [price, shares] = bar.date < SPLIT_DAY ? [1 / 5, 5] : [1, 1];
        const open = open_price > 0 ? open_price : Math.min(Math.max(previous, low), high);
        const expected = { open: open * price, high: high * price, low: low * price, close: close * price };
        for (const [name, amount] of Object.entries(expected)) {
          expect(bar[name as keyof typeof expected], `${bar.date} ${name}`).toBeCloseTo(amount, DECIMALS);
        }
        expect([bar.volume, bar.value]).toEqual([volume * shares, value]);
        expect(bar.change_pct, bar.date).toBeCloseTo(changePct(days[i]!), DECIMALS);
      });
    });

    test('has the indicators that textbook formulas give for those bars', () => {
      const days = own.csv.days('BBCA');
      const expected = expectedPriceFeatures(days, ({ date }) => (date < SPLIT_DAY ? 5 : 1));
      expect(Object.keys(expected)).toHaveLength(27);
      for (const [name, value] of Object.entries(expected)) {
        expect(features[name], name).toBeCloseTo(value, DECIMALS);
      }
    });

    test('has the traded, foreign and negotiated values of the exchange', () => {
      const days = (count: number) => own.csv.days('BBCA', count);
      expect(features['avg_value_20d']).toBeCloseTo(sumOf(days(20), ({ value }) => value) / 20, DECIMALS);
      for (const count of [1, 5, 20]) {
        expect(features[`foreign_net_value_${count}d`]).toBeCloseTo(sumOf(days(count), foreignNet), 0);
      }
      expect(features['nego_value_5d']).toBe(sumOf(days(5), negoValue));
    });
  });

  test('bars of random days are those of the files, and adjusted as their reference prices say', async () => {
    type Price = 'open' | 'high' | 'low' | 'close';
    interface Bars {
      bars: (Record<Price, number | null> &
        Record<'volume' | 'value' | 'reference_price', number> & { date: string })[];
    }
    const halted = TICKERS.slice(TICKERS.indexOf('GIAA'));
    for (const ticker of ['BBCA', 'UNVR', 'ARTO', ...halted]) {
      const days = own.csv.days(ticker);
      const scales = adjustments(days);
      const [published, adjusted] = await Promise.all(
        ['false', 'true'].map((is) => own.get<Bars>(`stocks/${ticker}/bars?limit=1000&adjusted=${is}`)),
      );
      for (const draw of fc.sample(fc.nat(), { numRuns: 5, seed: 1 })) {
        const n = draw % published!.bars.length;
        const bar = published!.bars[n]!;
        const i = days.findIndex(({ date }) => date === bar.date);
        const { high, low, close, volume, value, previous } = days[i]!;
        const hasTraded = volume > 0;
        expect(bar, `${ticker} ${bar.date}`).toMatchObject({ volume, value, reference_price: previous });
        expect([bar.high, bar.low, bar.close]).toEqual(hasTraded ? [high, low, close] : [null, null, null]);
        const restated = adjusted!.bars[n]!;
        if (hasTraded) expect(restated.close).toBeCloseTo(close * scales[i]!, DECIMALS);
        else expect(restated.close).toBeNull();
      }
    }
  });

  test('a comparison over twenty days gives the period figures of each stock', async () => {
    interface Compared {
      ticker: string;
      close: number;
      period: Record<string, number>;
    }
    const { body } = await own.rest.post<{ snapshots: Compared[]; missing: string[]; ranking: object }>(
      '/api/v1/data/compare',
      { tickers: ['bbca', 'UNVR', 'GOTO'] },
    );
    expect(body.missing).toEqual(['GOTO']);
    for (const { ticker, close, period } of body.snapshots) {
      const days = own.csv.days(ticker, 20);
      const scale = adjustments(days);
      const closes = adjustedCloses(ticker).slice(-21);
      const falls = closes.flatMap((from, i) => closes.slice(i).map((to) => 100 * (to / from - 1)));
      const expected = {
        return_pct: 100 * (closes.at(-1)! / closes[0]! - 1),
        high: Math.max(...days.map(({ high }, i) => high * scale[i]!)),
        low: Math.min(...days.map(({ low }, i) => low * scale[i]!)),
        max_drawdown_pct: Math.min(...falls),
        avg_value: sumOf(days, ({ value }) => value) / 20,
      };
      for (const [name, value] of Object.entries(expected)) {
        expect(period[name], `${ticker} ${name}`).toBeCloseTo(value, DECIMALS);
      }
      expect(period['foreign_net_value']).toBeCloseTo(sumOf(days, foreignNet), 0);
      expect(close).toBe(days.at(-1)!.close);
    }
    const [bbca, unvr] = body.snapshots.map(({ period }) => period['return_pct']!);
    expect(body.ranking).toMatchObject({ return_pct: bbca! > unvr! ? ['BBCA', 'UNVR'] : ['UNVR', 'BBCA'] });
  });

  test('the overview counts, sums and averages the files’ figures of the day', async () => {
    interface Overview extends Record<string, unknown> {
      breadth: Record<string, number>;
      averages: Record<string, number>;
      top_gainers: { ticker: string; change_pct: number; close: number; value: number }[];
    }
    const overview = await own.get<Overview>('market-overview');
    const today = own.csv.on(LAST_DAY);
    const traded = today.filter(({ volume }) => volume > 0);
    const count = (holds: (change: number) => boolean) =>
      traded.filter((day) => holds(changePct(day))).length;
    expect(overview).toMatchObject({
      date: LAST_DAY,
      total_stocks: today.length,
      traded_stocks: traded.length,
      total_value: sumOf(traded, ({ value }) => value),
    });
    expect(overview.breadth).toMatchObject({
      advancing: count((change) => change > 0),
      declining: count((change) => change < 0),
      unchanged: count((change) => change === 0),
    });
    expect(overview['foreign_net_value']).toBeCloseTo(sumOf(traded, foreignNet), -1);

    const liquid = traded.filter(
      ({ ticker }) => sumOf(own.csv.days(ticker, 20), ({ value }) => value) / 20 >= BILLION,
    );
    expect(overview['liquid_stocks']).toBe(liquid.length);
    const features = liquid.map(({ ticker }) => expectedPriceFeatures(own.csv.days(ticker), () => 1));
    const meanOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number) / numbers.length;
    expect(overview.averages['daily_return_pct']).toBeCloseTo(meanOf(liquid.map(changePct)), DECIMALS);
    expect(overview.averages['rsi']).toBeCloseTo(meanOf(features.map(({ rsi14 }) => rsi14!)), DECIMALS);
    const above = features.filter(({ dist_ma20_pct }) => dist_ma20_pct! > 0).length;
    expect(overview.breadth['above_ma20_pct']).toBeCloseTo((100 * above) / liquid.length, DECIMALS);

    const rising = liquid.toSorted((a, b) => changePct(b) - changePct(a)).filter((day) => changePct(day) > 0);
    expect(overview.top_gainers.map(({ ticker }) => ticker)).toEqual(
      rising.slice(0, 10).map(({ ticker }) => ticker),
    );
    expect(overview.top_gainers[0]).toMatchObject({ close: rising[0]!.close, value: rising[0]!.value });
  });

  test('negotiated trading of BBCA matches the files, per day and in total', async () => {
    interface History {
      items: Record<string, number | null>[];
      summary: { total_value: number; days_active: number; avg_premium: number };
    }
    const { items, summary } = await own.get<History>('stocks/BBCA/nego');
    const days = own.csv.days('BBCA', 20);
    const closes = adjustedCloses('BBCA').slice(-20);
    items.forEach((item, i) => {
      const day = days[i]!;
      const price = negoValue(day) / negoVolume(day);
      const shares = negoVolume(day) * (day.date < SPLIT_DAY ? 5 : 1);
      expect(item).toMatchObject({ date: day.date, nego_value: negoValue(day) });
      expect(item).toMatchObject({ nego_volume: shares, nego_frequency: negoFrequency(day) });
      expect(item['close']).toBeCloseTo(closes[i]!, DECIMALS);
      expect(item['nego_avg_price']).toBeCloseTo((price * closes[i]!) / day.close, DECIMALS);
      expect(item['nego_premium']).toBeCloseTo(price / day.close - 1, FRACTION_DECIMALS);
      expect(item['nego_to_regular_pct']).toBeCloseTo((100 * negoValue(day)) / day.value, DECIMALS);
    });
    const worth = sumOf(days, (day) => negoVolume(day) * day.close);
    expect(summary).toMatchObject({ total_value: sumOf(days, negoValue), days_active: 20 });
    expect(summary.avg_premium).toBeCloseTo(sumOf(days, negoValue) / worth - 1, FRACTION_DECIMALS);
  });

  test('the scan of a day has the largest blocks, including those of suspended stocks', async () => {
    interface Scan {
      items: { ticker: string; nego_value: number; nego_premium: number; regular_value: number }[];
    }
    const { items } = await own.get<Scan>(`nego?date=${LAST_DAY}&min_val=36000000&top_n=100`);
    const blocks = own.csv.on(LAST_DAY).filter((day) => negoValue(day) >= 36_000_000);
    const expected = blocks.toSorted((a, b) => negoValue(b) - negoValue(a));
    expect(items.map(({ ticker, nego_value, regular_value }) => [ticker, nego_value, regular_value])).toEqual(
      expected.map((day) => [day.ticker, negoValue(day), day.value]),
    );
    expect(items.at(-1)).toMatchObject({ ticker: 'ELTY', nego_value: 36_000_000, regular_value: 0 });
    const [largest, day] = [items[0]!, expected[0]!];
    expect(largest.nego_premium).toBeCloseTo(
      negoValue(day) / negoVolume(day) / day.close - 1,
      FRACTION_DECIMALS,
    );
  });

  test('the scan of a window covers calendar days and compares each block with the close of its day', async () => {
    interface Window {
      date_from: string;
      trading_days: number;
      items: (Record<string, number> & { ticker: string })[];
    }
    const { date_from, trading_days, items } = await own.get<Window>(
      'nego/window?days=20&min_val=0&top_n=100',
    );
    expect(date_from).toBe('2021-10-10');
    const dates = own.csv.dates.filter((date) => date >= date_from);
    expect(trading_days).toBe(dates.length);
    const bbca = items.find(({ ticker }) => ticker === 'BBCA')!;
    const days = own.csv.days('BBCA', dates.length);
    const shares = (day: CsvDay) => negoVolume(day) * (day.date < SPLIT_DAY ? 5 : 1);
    const worth = sumOf(days, (day) => negoVolume(day) * day.close);
    expect(bbca).toMatchObject({
      total_value: sumOf(days, negoValue),
      nego_volume: sumOf(days, shares),
      nego_frequency: sumOf(days, negoFrequency),
      days_active: days.length,
      close: 7_475,
      max_day_value: Math.max(...days.map(negoValue)),
      last_date: LAST_DAY,
    });
    expect(bbca['nego_avg_price']).toBeCloseTo(sumOf(days, negoValue) / sumOf(days, shares), DECIMALS);
    expect(bbca['nego_premium']).toBeCloseTo(sumOf(days, negoValue) / worth - 1, FRACTION_DECIMALS);
    const totals = items.map(({ total_value }) => total_value!);
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
  });

  test('turning points have the last traded close and the return over the ten traded days before it', async () => {
    const { body } = await own.rest.post<{
      turning_points: {
        ticker: string;
        date: string;
        close: number;
        score: number;
        ret_10d_pct: number | null;
        traded_today: boolean;
      }[];
    }>('/api/v1/data/turning-points', { tickers: TICKERS });
    expect(body.turning_points.map(({ ticker }) => ticker)).toEqual(TICKERS);
    const lookback = own.csv.dates.slice(-10);
    for (const { ticker, date, close, score, ret_10d_pct, traded_today } of body.turning_points) {
      const days = own.csv.days(ticker);
      const closes = adjustedCloses(ticker).filter((_, i) => days[i]!.volume > 0);
      const traded = days.filter(({ volume }) => volume > 0);
      expect([date, close], ticker).toEqual([traded.at(-1)!.date, closes.at(-1)]);
      expect(traded_today, ticker).toBe(date === LAST_DAY);
      if (lookback.includes(date)) {
        expect(ret_10d_pct, ticker).toBeCloseTo(100 * (closes.at(-1)! / closes.at(-11)! - 1), DECIMALS);
      } else {
        expect([ret_10d_pct, score], ticker).toEqual([null, 0]);
      }
    }
    const alone = await own.get('stocks/BBCA/turning-point');
    expect(alone).toMatchObject(body.turning_points[0]!);
  });

  test('foreign flows sum the net shares of foreigners at the average price of each day', async () => {
    type Flow = Record<string, number> & { ticker: string };
    const { inflow, outflow } = await own.get<{ inflow: Flow[]; outflow: Flow[] }>(
      'flows?days=12&min_abs_val=0&min_price=0&min_daily_val=0&top_n=100&max_price_change_pct=1000',
    );
    const flows = new Map([...inflow, ...outflow].map((flow) => [flow.ticker, flow]));
    for (const ticker of TICKERS) {
      const days = own.csv.days(ticker, 12);
      const net = sumOf(days, foreignNet);
      if (net === 0) expect(flows).not.toHaveProperty(ticker);
      else expect(flows.get(ticker)!['net_value'], ticker).toBeCloseTo(net, 0);
    }
    // The first of the twelve days is the day of the split.
    const days = own.csv.days('BBCA', 12);
    const bbca = flows.get('BBCA')!;
    expect(days[0]!.date).toBe(SPLIT_DAY);
    expect(bbca['net_shares']).toBe(
      sumOf(days, ({ foreign_buy, foreign_sell }) => foreign_buy - foreign_sell),
    );
    expect(bbca['price_change_pct']).toBeCloseTo(100 * (7_475 / 7_320 - 1), DECIMALS);
    expect(bbca['avg_daily_value']).toBeCloseTo(sumOf(days, ({ value }) => value) / 12, 0);
    expect(bbca['last_day_net_value']).toBeCloseTo(foreignNet(days.at(-1)!), 0);
    const daysOf = (sign: number) => days.filter((day) => Math.sign(foreignNet(day)) === sign).length;
    expect([bbca['accum_days'], bbca['distrib_days']]).toEqual([daysOf(1), daysOf(-1)]);
  });

  test(
    'every endpoint answers valid requests as declared, even without broker rows',
    WHILE_SENDING,
    async () => {
      await own.checkResponsesAgainstTheDocument();
    },
  );
});

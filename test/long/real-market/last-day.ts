import { describe, expect, test } from 'vitest';
import { needingRealMarket, testRealMarket } from '#support/real-market/test-real-market.ts';

const LAST_DAY = '2024-06-28';
/** KARW rose fivefold and has been halted since March 2024. */
const HALTED = 'KARW';
/** BBNI was split 1:2 on 6 October 2023. The exchange rounded half of 10,375 to 5,200. */
const SPLIT = 'BBNI';
const BEFORE_SPLIT = '2023-10-05';
const LIVE = ['BBCA', 'TLKM', SPLIT];

type Features = Record<string, number | null>;
interface LastTrade {
  last_traded_date: string | null;
  traded_today: boolean;
}

/** Features that would look current for a stock that is not traded. */
const MOVES = ['ret_1d_pct', 'ret_5d_pct', 'ret_20d_pct', 'rsi14', 'volume_ratio_5', 'volume_ratio_20'];

describe(`real stocks on ${LAST_DAY}`, needingRealMarket, () => {
  const own = testRealMarket([HALTED, ...LIVE], LAST_DAY);
  const lastTradeOf = (ticker: string) => own.csv.days(ticker).findLast(({ volume }) => volume > 0)!;

  test('the snapshot of a halted stock says so, and omits return, RSI and volume ratio', async () => {
    const halted = await own.get<LastTrade & { date: string; features: Features }>(`stocks/${HALTED}`);
    expect(lastTradeOf(HALTED).date).toMatch(/^2024-03-/);
    expect(halted).toMatchObject({
      date: LAST_DAY,
      last_traded_date: lastTradeOf(HALTED).date,
      traded_today: false,
    });
    for (const name of MOVES) expect(halted.features[name], name).toBeNull();
    const live = await own.get<LastTrade & { features: Features }>('stocks/BBCA');
    expect(live).toMatchObject({ last_traded_date: LAST_DAY, traded_today: true });
    for (const name of MOVES) expect(live.features[name], name).toBeTypeOf('number');
  });

  test('a company name is complete although the listing truncates it', async () => {
    expect(await own.get(`stocks/${SPLIT}`)).toMatchObject({ name: 'Bank Negara Indonesia (Persero) Tbk.' });
  });

  test('a comparison gives no change for a halted stock and never ranks it', async () => {
    interface Compared extends LastTrade {
      ticker: string;
      change_pct: number | null;
      features: Features;
      period: Features;
    }
    const { body } = await own.rest.post<{ snapshots: Compared[]; ranking: Record<string, string[] | null> }>(
      '/api/v1/data/compare',
      { tickers: [HALTED, ...LIVE], days: 120 },
    );
    const [halted] = body.snapshots;
    expect(halted).toMatchObject({ ticker: HALTED, traded_today: false, change_pct: null });
    expect([halted!.period['return_pct'], halted!.features['rsi14']]).toEqual([null, null]);
    for (const name of ['return_pct', 'rsi14', 'volume_ratio_20'])
      expect(body.ranking[name]!.toSorted(), name).toEqual(LIVE.toSorted());
  });

  test('the turning point of a halted stock is dated by its last trade and is neutral', async () => {
    const { date } = lastTradeOf(HALTED);
    const point = await own.get(`stocks/${HALTED}/turning-point`);
    expect(point).toMatchObject({
      date,
      last_traded_date: date,
      traded_today: false,
      signal: 'NEUTRAL',
      score: 0,
      factors: [],
      ret_10d_pct: null,
    });
    expect(await own.get('stocks/BBCA/turning-point')).toMatchObject({ date: LAST_DAY, traded_today: true });
  });

  test('a split stock has the same close per day in the snapshot and in negotiated trading', async () => {
    interface Day {
      date: string;
      close: number;
      nego_avg_price?: number | null;
      nego_premium?: number | null;
    }
    const snapshot = await own.get<{ adjusted: boolean; adjusted_to: string; ohlcv: Day[] }>(
      `stocks/${SPLIT}?days=250`,
    );
    const nego = await own.get<{ adjusted: boolean; items: Day[] }>(`stocks/${SPLIT}/nego?days=250`);
    expect([snapshot.adjusted, nego.adjusted]).toEqual([true, true]);
    expect(snapshot.adjusted_to).toBe(LAST_DAY);
    const closes = (days: Day[]) => days.map(({ date, close }) => [date, close]);
    expect(closes(nego.items)).toEqual(closes(snapshot.ohlcv));
    const before = nego.items.find(({ date }) => date === BEFORE_SPLIT)!;
    expect(own.csv.days(SPLIT).find(({ date }) => date === BEFORE_SPLIT)!.close).toBe(10_375);
    expect(before.close).toBe(5_187.5);
    const scan = await own.get<{ items: (Day & { ticker: string })[] }>(
      `nego?date=${BEFORE_SPLIT}&min_val=0`,
    );
    expect(scan.items.find(({ ticker }) => ticker === SPLIT)).toMatchObject({
      close: before.close,
      nego_avg_price: before.nego_avg_price,
      nego_premium: before.nego_premium,
    });
  });
});

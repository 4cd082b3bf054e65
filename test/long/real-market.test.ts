/** Answers of a fleet on real stocks. What single answers compute of a market is tested beside their code. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { dataOperations } from '#support/declared-api/openapi-document.ts';
import { Fleet } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { FuzzClient, sendAll, WHILE_SENDING, type WireResponse } from '#support/fuzzing/fuzz-client.ts';
import { validRequests } from '#support/fuzzing/fuzz-requests.ts';
import { marketUnderTest, marketValues } from '#support/fuzzing/named-values.ts';
import { ResponseCheck } from '#support/fuzzing/response-check.ts';
import { validDrafts } from '#support/fuzzing/valid-requests.ts';
import { tarGzOf } from '#support/markets/idx-archive.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';
import { REAL_ARCHIVE, REAL_BROKER_ROWS } from '#support/real-market/real-archive.ts';
import { sumOf } from '#support/recomputed-fields/arithmetic.ts';
import { corporateFactors } from '#support/recomputed-fields/corporate-factors.ts';
import { foreignNet } from '#support/recomputed-fields/figures-of-trading.ts';
import {
  readRawArchive,
  stockOf,
  type RawArchive,
  type RawDay,
} from '#support/recomputed-fields/raw-archive.ts';
import { Rest } from '#support/rest/rest.ts';

/** Twelve trading days after the 1:5 split of BBCA, so that the data covers both sides of the split. */
const LAST_DAY = '2021-10-29';
const SPLIT_DAY = '2021-10-13';
/** Large and small stocks, split ones (BBCA, UNVR), block trades, one with real broker rows (BUMI). */
const LIVE =
  'BBCA BBRI BMRI BBNI TLKM ASII UNVR BUMI BYAN ADRO PTBA ANTM ICBP KLBF UNTR FREN MLPL ARTO TCPI CARE GEMS SMMA RELI BOGA';
/** Suspended on the last day. */
const SUSPENDED = 'GIAA SRIL ELTY JGLE LIFE RMBA';
const TICKERS = `${LIVE} ${SUSPENDED}`.split(' ');
/** One digit less than the responses, which are rounded to four decimals. */
const DECIMALS = 3;
const BILLION = 1e9;
/** Enough for each parameter to be present and absent. The sample market gets thousands of requests. */
const REQUESTS_EACH = 20;
/** For reading the archive, starting a fleet and importing, on a busy machine. */
const START_DEADLINE_MS = 120_000;

let fleet: Fleet;
let baseUrl: string;
let key: string;
/** What the exchange's files say, by which answers are judged. */
let raw: RawArchive;
let archive: string;

const daysOf = (ticker: string) => stockOf(raw, ticker).days;
/** The line of every stock for the last day, and of those that traded on it. */
const linesOfLastDay = () =>
  TICKERS.flatMap((ticker) => daysOf(ticker).map((day) => ({ ...day, ticker }))).filter(
    ({ date }) => date === LAST_DAY,
  );
const tradedOnLastDay = () => linesOfLastDay().filter(({ volume }) => volume > 0);
const changePct = ({ close, previous }: RawDay) => 100 * (close / previous - 1);
/** The factor that adjusts prices of each day to the terms of the last day. */
function adjustments(ticker: string): number[] {
  const factors = corporateFactors(stockOf(raw, ticker), raw.exchangeDays);
  return factors.map((_, i) => factors.slice(i + 1).reduce((product, { price }) => product * price, 1));
}

describe(
  `thirty real stocks up to ${LAST_DAY}`,
  needing(THE_REAL_MARKET, existsSync(REAL_ARCHIVE) && existsSync(REAL_BROKER_ROWS)),
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'saring-real-'));
      raw = await readRawArchive(TICKERS, LAST_DAY);
      archive = path.join(folder, 'bars.tar.gz');
      await writeFile(archive, await tarGzOf(raw.files));
      fleet = await Fleet.start({ DATASET: archive, WORKERS: '1' });
      ({ base_url: baseUrl } = await fleet.file());
      ({ key } = await issueKey(fleet.stateDir, 'data:read,models:run'));
    }, START_DEADLINE_MS);
    afterAll(async () => {
      await fleet?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test('quotes equal the closes and changes of the exchange, and omit suspended stocks', async () => {
      const { quotes } = await get<Schemas['Quotes']>(`quotes?tickers=${TICKERS.join().toLowerCase()},GOTO`);
      const traded = tradedOnLastDay();
      expect(Object.keys(quotes).toSorted()).toEqual(traded.map(({ ticker }) => ticker).toSorted());
      expect(quotes).not.toHaveProperty('GIAA');
      expect(quotes['BBCA']).toEqual({ close: 7_475, change_pct: 1.3559, date: LAST_DAY });
      for (const day of traded) {
        expect(quotes[day.ticker]!.close).toBe(day.close);
        expect(quotes[day.ticker]!.change_pct).toBeCloseTo(changePct(day), DECIMALS);
      }
    });

    test('a snapshot has no price jump at a split, five times the shares before it, and unchanged turnover', async () => {
      const { ohlcv } = await get<Schemas['Snapshot']>('stocks/bbca?days=250');
      const split = ohlcv.findIndex(({ date }) => date === SPLIT_DAY);
      // 36,600 is 7,320 per new share, which the exchange rounded to 7,325; 18,213,400 old shares are five times as many new ones.
      expect(ohlcv[split - 1]).toMatchObject({ close: 7_320, volume: 91_067_000, value: 664_434_375_000 });
      expect(ohlcv[split]).toMatchObject({ close: 7_525, volume: 210_893_300, value: 1_602_811_070_000 });
      expect(ohlcv[split]!.change_pct).toBeCloseTo(100 * (7_525 / 7_325 - 1), DECIMALS);
      const changes = ohlcv.slice(1).map(({ close }, i) => 100 * (close / ohlcv[i]!.close - 1));
      expect(Math.max(...changes.map(Math.abs))).toBeLessThan(7);
    });

    test('bars of random days are those of the files, and adjusted as their reference prices say', async () => {
      for (const ticker of ['BBCA', 'UNVR', 'ARTO', ...SUSPENDED.split(' ')]) {
        const days = daysOf(ticker);
        const scales = adjustments(ticker);
        const [published, adjusted] = await Promise.all(
          ['false', 'true'].map((is) =>
            get<Schemas['Bars']>(`stocks/${ticker}/bars?limit=1000&adjusted=${is}`),
          ),
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

    test('the overview counts and sums the files’ figures of the day', async () => {
      const overview = await get<Schemas['MarketOverview']>('market-overview');
      const traded = tradedOnLastDay();
      const count = (holds: (change: number) => boolean) =>
        traded.filter((day) => holds(changePct(day))).length;
      const liquid = traded.filter(
        ({ ticker }) => sumOf(daysOf(ticker).slice(-20), ({ value }) => value) / 20 >= BILLION,
      );
      expect(overview).toMatchObject({
        date: LAST_DAY,
        total_stocks: linesOfLastDay().length,
        traded_stocks: traded.length,
        liquid_stocks: liquid.length,
        total_value: sumOf(traded, ({ value }) => value),
        breadth: {
          advancing: count((change) => change > 0),
          declining: count((change) => change < 0),
          unchanged: count((change) => change === 0),
        },
      });
      expect(overview.foreign_net_value).toBeCloseTo(sumOf(traded, foreignNet), -1);
      const meanChange = liquid.map(changePct).reduce((sum, change) => sum + change) / liquid.length;
      expect(overview.averages.daily_return_pct).toBeCloseTo(meanChange, DECIMALS);
      const rising = liquid
        .toSorted((a, b) => changePct(b) - changePct(a))
        .filter((day) => changePct(day) > 0);
      expect(overview.top_gainers.map(({ ticker }) => ticker)).toEqual(
        rising.slice(0, 10).map(({ ticker }) => ticker),
      );
      expect(overview.top_gainers[0]).toMatchObject({ close: rising[0]!.close, value: rising[0]!.value });
    });

    describe.each<[brokers: string, words: () => string[]]>([
      ['without broker rows', () => []],
      ['with the real rows of one stock', () => ['import', REAL_BROKER_ROWS]],
      ['with made-up broker rows', () => ['import', archive, '--synthesize-brokers', '--replace']],
    ])('%s', (_brokers, words) => {
      beforeAll(async () => {
        if (words().length === 0) return;
        const { code, stderr } = await saring(fleet.stateDir, 'dataset', ...words());
        expect(code, stderr).toBe(0);
      }, START_DEADLINE_MS);

      test(
        'every endpoint answers valid requests as declared',
        WHILE_SENDING,
        checkAnswersAgainstTheDocument,
      );
    });
  },
);

/** The body of a market-data answer. */
async function get<Body>(where: string): Promise<Body> {
  const { status, body } = await new Rest(baseUrl, key).get<Body>(`/api/v1/data/${where}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Sends valid requests to every market-data endpoint. */
async function checkAnswersAgainstTheDocument(): Promise<void> {
  const client = new FuzzClient(baseUrl, key, '');
  const market = marketValues(await marketUnderTest(new Rest(baseUrl, key)));
  try {
    for (const operation of await dataOperations(baseUrl)) {
      const check = new ResponseCheck(operation);
      const faultsOf = (response: WireResponse) => [
        ...check.faults(response),
        ...check.faultsOfSuccess(response),
      ];
      const requests = validRequests(operation, validDrafts(operation, market));
      await sendAll(client, requests, faultsOf, REQUESTS_EACH);
    }
  } finally {
    client.close();
  }
}

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { marketBars, listedPanel } from '#fields/catalogue/market-fixture.ts';
import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { evaluateDay } from '#fields/evaluation/evaluate.ts';
import { oneDayMarket, type DayValues } from '#fields/evaluation/one-day.ts';
import { formatRules } from '#fields/rules/format-rules.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import type { Rules } from '#fields/rules/rules.ts';
import type { ScreenRow, ScreenStocksRequest } from '#proto/saring/market_data/v1/fields.ts';
import { Panel } from '#quant/panel/panel.ts';
import { lastOfEach } from '#shared/market/last-of-each.ts';
import { knownFields } from './field-catalogue.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { FieldMarkets } from './field-columns.ts';
import { fieldsOf } from './listed-fields.ts';
import { Screening } from './screening.ts';

/** No field of these tests needs broker rows, so nothing connects to it. */
const NO_CLICKHOUSE = { url: 'http://127.0.0.1:1', username: '', password: '', cluster: '' } as never;
const bars = marketBars({ seed: 3, tickers: 12, days: 120 });
const panel = listedPanel(bars);
const { dates, tickers } = panel.columns;
const LAST = dates.length - 1;

const markets = new FieldMarkets(NO_CLICKHOUSE, 64 * 1_048_576);
afterAll(() => markets.stop());

const NO_FACTS = knownFields({ facts: [] });
const known = () => Promise.resolve(NO_FACTS);
const catalogue = { get: known, newest: known, refresh: known };
const UNHURRIED = { beginMs: 600_000, eachMs: 600_000 };
const screeningOf = (loaded: LoadedDataset) =>
  new Screening({ get: () => Promise.resolve(loaded) }, markets, catalogue, UNHURRIED);
const screening = screeningOf(loadedOf(panel));
/** A caller that waits for what it has asked. */
const STAYS = new AbortController().signal;
const ANYBODY = { signal: STAYS };

async function screen(request: Partial<ScreenStocksRequest>, of = screening) {
  const asked = { rules: '', universe: undefined, as_of: undefined, columns: [], ...request };
  const { rows_json, ...result } = await of.screen(asked, ANYBODY);
  return { ...result, rows: JSON.parse(rows_json.toString()) as ScreenRow[] };
}

/** Fields that are computed from bars. The list of stocks differs between the panels of a test. */
const OF_BARS = [...FIELDS.values()]
  .filter(({ needs }) => !needs.includes('broker_days') && !needs.includes('listing'))
  .map(({ name }) => name);

const closeOn = (ticker: string, day: number) => {
  const row = panel.rowAt(panel.tickerIndex(ticker), day);
  return row < 0 ? undefined : panel.columns.close[row]!;
};
const MEDIAN = tickers.map((ticker) => closeOn(ticker, LAST)!).sort((a, b) => a - b)[6]!;

test('an evaluation that began before another version replaced its market goes on with that market', async () => {
  const before = markets.of(loadedOf(panel));
  markets.of(loadedOf(panel));
  const rules = parseRules(`close > ${MEDIAN}`, FIELDS);
  const columns = await before.forRules(rules, { firstDay: LAST, lastDay: LAST }, NO_FACTS, ANYBODY);
  expect(columns).toMatchObject({ firstDay: LAST, fields: { close: {} } });
});

describe('a screen', () => {
  test('has the stocks that pass on the last day, their values and the requested columns', async () => {
    const result = await screen({
      rules: `close > ${MEDIAN} sort by close desc`,
      columns: ['sector', 'rsi_14'],
    });
    const expected = tickers
      .filter((ticker) => closeOn(ticker, LAST)! > MEDIAN)
      .sort((a, b) => closeOn(b, LAST)! - closeOn(a, LAST)!);
    expect(expected.length).toBeGreaterThan(2);
    expect(result).toMatchObject({
      as_of: dates[LAST],
      matched: expected.length,
      screened: 12,
      broker_data: 'none',
    });
    expect(result.rows.map(({ ticker }) => ticker)).toEqual(expected);
    expect(result.rows[0]!.values).toEqual({
      close: closeOn(expected[0]!, LAST),
      sector: expect.stringContaining('Sector') as string,
      rsi_14: expect.any(Number) as number,
    });
  });

  test('means the same as an object and as text, and says it in text', async () => {
    const rules = { where: { field: 'close', above: MEDIAN }, limit: 3 };
    const [asObject, asText] = [
      await screen({ rules }),
      await screen({ rules: `close > ${MEDIAN} limit 3` }),
    ];
    expect(asObject).toEqual(asText);
    expect(asObject.rules_text).toBe(`close > ${MEDIAN} limit 3`);
    expect(asObject.rows).toHaveLength(3);
    expect(asObject.matched).toBeGreaterThan(3);
  });

  test('had on each past day, or the last of each week, the members that running it as of that day has', async () => {
    const rules = 'rsi_14 > 0 sort by rsi_14 desc';
    const of = { rules, universe: undefined, from: dates[60]!, to: dates[100]!, limit: 3 };
    const daily = await screening.pastMembers({ ...of, step: 'day' }, ANYBODY);
    expect(daily.to).toBe(dates[100]);
    expect(daily.days.map(({ as_of }) => as_of)).toEqual(dates.slice(60, 101));
    for (const { as_of, tickers: members } of daily.days.filter((_, at) => at % 10 === 0))
      expect(members).toEqual((await screen({ rules, as_of })).rows.slice(0, 3).map(({ ticker }) => ticker));
    const weekly = await screening.pastMembers({ ...of, step: 'week' }, ANYBODY);
    expect(weekly.days).toEqual(
      daily.days.filter(({ as_of }) => lastOfEach(dates.slice(60, 101), 'week').includes(as_of)),
    );
    const before = { ...of, from: '1990-01-01', to: '1990-02-01', step: 'day' };
    await expect(screening.pastMembers(before, ANYBODY)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is the same on the values of the day, which are exact', async () => {
    const of = { as_of: dates[90]!, fields: OF_BARS };
    const { values_json, tickers: listed, ...head } = await screening.values(of, ANYBODY);
    expect(head).toEqual({
      as_of: dates[90],
      broker_data: 'none',
      dataset_version: expect.any(String) as string,
    });
    const values = JSON.parse(Buffer.from(values_json).toString()) as DayValues['values'];
    const market = oneDayMarket({ tickers: listed, values }, FIELDS);
    const passing = (rules: string) => evaluateDay(parseRules(rules, FIELDS), market, 0);
    for (const [name, [value]] of Object.entries(values)) {
      const wanted =
        typeof value === 'number' ? `${name} = ${value}` : `${name} is ${value === null ? '' : 'not '}null`;
      expect(
        passing(wanted).stocks.map(({ ticker }) => ticker),
        wanted,
      ).toContain(listed[0]);
    }
    for (const rules of [
      'rank(close) <= 4 and not (rsi_14 < 50) sort by rsi_14 desc',
      'percentile(value_idr) > 40% or is_liquid sort by value_idr limit 3',
      'close > 1.01 * sma_20 and volume between 1 and 1e12',
    ]) {
      const { matched, rows } = await screen({ rules, as_of: dates[90]! });
      expect(passing(rules)).toEqual({
        matched,
        stocks: rows.map(({ ticker, values }) => ({ ticker, values })),
      });
    }
  });

  test('and the same picks without its rules are judged alike', async () => {
    const rules = 'rsi_14 > 40 sort by rsi_14 desc limit 3';
    const span = { from: dates[60]!, to: dates[100]! };
    const of = {
      universe: undefined,
      ...span,
      target_gain: undefined,
      stop_loss: undefined,
      horizon_days: 5,
    };
    const members = { rules, universe: undefined, ...span, step: 'day', limit: 3 };
    const { days } = await screening.pastMembers(members, ANYBODY);
    const strange = days.map(({ as_of, tickers: picked }) => ({ as_of, tickers: ['ZZZZ', ...picked] }));
    const byRules = await screening.judge({ rules, ...of, picks: [] }, ANYBODY);
    const byPicks = await screening.judge({ rules: undefined, ...of, picks: strange }, ANYBODY);
    expect(byRules.all!.picks).toBeGreaterThan(20);
    expect({ ...byPicks, rules_text: byRules.rules_text }).toEqual(byRules);
    const some = strange.filter((_, at) => at % 5 === 0);
    const ofSome = await screening.judge({ rules: undefined, ...of, picks: some }, ANYBODY);
    expect(ofSome).toMatchObject({ from: byRules.from, to: byRules.to });
    expect(ofSome.all!.days).toBe(some.filter(({ as_of }) => as_of <= byRules.to).length);
  });

  test('judged over missing trading days, up to the last outcome, say so', async () => {
    const lacks = async (gap: number) => {
      const gapped = screeningOf(loadedOf(new Panel({ ...panel.columns, gaps: [gap] })));
      const span = { from: dates[60]!, to: dates[80]!, horizon_days: 5 };
      const levels = { universe: undefined, target_gain: undefined, stop_loss: undefined };
      const asked = { rules: 'close > 0', ...span, ...levels, picks: [] };
      return (await gapped.judge(asked, ANYBODY)).lacks_days;
    };
    expect([await lacks(60), await lacks(61), await lacks(85), await lacks(86)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('of a past day does not change when later days are missing, or hold other prices', async () => {
    const rules = 'rsi_14 > 0 and change(close, 5d) > -50% sort by rsi_14 desc';
    const request = { rules, as_of: dates[80]!, columns: OF_BARS };
    const expected = await screen(request);
    expect(expected.rows.length).toBeGreaterThan(5);
    const short = listedPanel(bars.filter(({ date }) => date <= dates[80]!));
    const poisoned = listedPanel(
      bars.map((bar) =>
        bar.date > dates[80]! ? { ...bar, close: bar.close * 3, high: bar.close * 4 } : bar,
      ),
    );
    for (const other of [short, poisoned])
      expect((await screen(request, screeningOf(loadedOf(other)))).rows).toEqual(expected.rows);
  });

  test('looks only at the stocks of its universe, and says which tickers no stock has', async () => {
    const [first, second] = [tickers[0]!, tickers[5]!];
    const some = { sector: undefined, tickers: [first.toLowerCase(), second, 'NONE'] };
    const result = await screen({ universe: some });
    expect(result.rows.map(({ ticker }) => ticker)).toEqual([first, second]);
    expect(result).toMatchObject({ matched: 2, screened: 2, missing: ['NONE'] });
    const ofSector = await screen({ universe: { sector: 'sector 1', tickers: [] } });
    expect(ofSector.rows.map(({ ticker }) => ticker)).toEqual(tickers.filter((_, at) => at % 3 === 1));
  });

  test.each([
    ['rsi14 < 35', ['rules'], 'column 1: no field `rsi14`; did you mean rsi_14?'],
    [
      { where: { field: 'rsi14', below: 1 } },
      ['rules', 'where', 'field'],
      'no field `rsi14`; did you mean rsi_14?',
    ],
  ])('of %j is refused at the place of the mistake', async (rules, loc, msg) => {
    await expect(screen({ rules })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc, msg }],
    });
  });

  test('with a column that is no field, an unknown sector or a day before the first is refused', async () => {
    await expect(screen({ columns: ['close', 'nope'] })).rejects.toMatchObject({
      detail: [{ loc: ['columns', 1] }],
    });
    const wrong = { sector: 'Nope', tickers: [] };
    const msg = 'must be one of Sector 0, Sector 1, Sector 2';
    await expect(screen({ universe: wrong })).rejects.toMatchObject({
      detail: [{ loc: ['universe', 'sector'], msg }],
    });
    await expect(screen({ as_of: '1999-01-01' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an explanation', () => {
  const explain = (rules: string, ticker: string) =>
    screening.explain({ rules, ticker, universe: undefined, as_of: undefined }, ANYBODY);

  test('has every condition in order, with value, threshold and distance, and the place of the stock', async () => {
    const rules = `close > ${MEDIAN} and (rsi_14 < 101 or rsi_14 > 200) sort by close desc limit 2`;
    const { rows, matched } = await screen({ rules: rules.replace(' limit 2', '') });
    expect(matched).toBeGreaterThan(2);
    const third = rows[2]!.ticker;
    const close = closeOn(third, LAST)!;
    expect(await explain(rules, third.toLowerCase())).toMatchObject({
      ticker: third,
      is_member: false,
      passes: true,
      in_universe: true,
      place: 3,
      rules: [
        { depth: 0, passed: true },
        {
          depth: 1,
          rule: `close > ${MEDIAN}`,
          passed: true,
          value: close,
          threshold: MEDIAN,
          margin: close - MEDIAN,
        },
        { depth: 1, passed: true },
        { depth: 2, rule: 'rsi_14 < 101', passed: true },
        { depth: 2, rule: 'rsi_14 > 200', passed: false },
      ],
    });
  });
});

describe('followed screens', () => {
  test('say who entered and left since an earlier day, and by which condition alone', async () => {
    const rules = {
      where: {
        all: [
          { field: 'close', above: 0 },
          { field: 'rsi_14', above: 50 },
        ],
      },
    };
    // A stock that is listed later enters by every condition.
    const known = tickers.filter((ticker) => closeOn(ticker, 60) !== undefined);
    const universe = { sector: undefined, tickers: known };
    const asked = { rules, universe };
    const [then, now] = [await screen({ ...asked, as_of: dates[60]! }), await screen(asked)].map(({ rows }) =>
      rows.map(({ ticker }) => ticker),
    );
    const none = { universe, previous_as_of: undefined, previous_tickers: [] };
    const { results, as_of } = await screening.follow(
      {
        as_of: undefined,
        screens: [
          { ...none, id: 'known', rules, previous_as_of: dates[60]!, previous_tickers: then! },
          { ...none, id: 'new', rules },
          { ...none, id: 'wrong', rules: 'unheard_of > 1' },
        ],
      },
      STAYS,
    );
    const decidedBy = (passed: boolean) => ({ decided_by: [{ rule: 'rsi_14 > 50', passed }] });
    const entered = now!.filter((ticker) => !then!.includes(ticker));
    const left = then!.filter((ticker) => !now!.includes(ticker));
    expect(Math.min(entered.length, left.length)).toBeGreaterThan(0);
    expect(as_of).toBe(dates[LAST]);
    expect(results).toMatchObject([
      {
        id: 'known',
        tickers: now,
        entered: entered.map((ticker) => ({ ticker, ...decidedBy(true) })),
        left: left.map((ticker) => ({ ticker, ...decidedBy(false) })),
      },
      { id: 'new', tickers: now, entered: [], left: [] },
      { id: 'wrong', tickers: [], entered: [], left: [], failure: 'rules: column 1: no field `unheard_of`' },
    ]);
  });

  describe('on threads that never come to an end with some', () => {
    const loaded = loadedOf(panel);
    const begun: string[] = [];
    const givenUp: string[] = [];
    /** Evaluates every screen at once, but those without a limit never. */
    const threads = {
      run: (_name: string, { rules }: { rules: Rules }, { signal }: { signal: AbortSignal }) => {
        const what = formatRules(rules);
        begun.push(what);
        signal.addEventListener('abort', () => givenUp.push(what));
        return rules.limit ? { tickers: ['A'], entered: [], left: [] } : new Promise(() => {});
      },
    };
    const columns = { firstDay: LAST };
    const hanging = { of: () => ({ forRules: () => Promise.resolve(columns), threads }) as never };
    const follow = (given: { beginMs: number; eachMs: number }, rules: string[], caller = STAYS) => {
      const screens = rules.map((one, at) => ({
        id: `${at}`,
        rules: one,
        universe: undefined,
        previous_tickers: [],
      }));
      const of = new Screening({ get: () => Promise.resolve(loaded) }, hanging, catalogue, given);
      return of.follow({ as_of: undefined, screens }, caller);
    };
    beforeEach(() => [begun, givenUp].forEach((list) => list.splice(0)));

    test('the others have their results, and those are given up and say so', async () => {
      const rules = [
        'close > 1',
        'close > 2',
        ...Array.from({ length: 20 }, (_, n) => `close > ${n} limit 1`),
      ];
      const { results } = await follow({ beginMs: 60_000, eachMs: 20 }, rules);
      expect(results).toHaveLength(22);
      for (const { failure, may_pass } of results.slice(0, 2))
        expect([failure, may_pass]).toEqual([expect.stringContaining('takes longer than'), true]);
      for (const { tickers: members, failure } of results.slice(2))
        expect([members, failure]).toEqual([['A'], undefined]);
      expect(givenUp).toEqual(rules.slice(0, 2));
    });

    test('those that there was no time for are not begun, and left out', async () => {
      const rules = Array.from({ length: 40 }, (_, n) => `close > ${n}`);
      const { results } = await follow({ beginMs: 0, eachMs: 20 }, rules);
      expect([results.map(({ id }) => id), begun]).toEqual([['0', '1'], rules.slice(0, 2)]);
    });

    test('no other is begun once the caller has left', async () => {
      const rules = Array.from({ length: 40 }, (_, n) => `close > ${n}`);
      await follow({ beginMs: 60_000, eachMs: 20 }, rules, AbortSignal.abort());
      expect(begun).toEqual(rules.slice(0, 2));
    });
  });
});

test('the catalogue lists at least 80 fields in both languages, with the days on which they can have values', () => {
  const loaded = loadedOf(new Panel(panel.columns));
  const [english, indonesian] = (['en', 'id'] as const).map((language) =>
    fieldsOf(loaded, NO_FACTS, language),
  );
  expect(english!.count).toBeGreaterThanOrEqual(80);
  expect(english!.fields.map(({ name }) => name)).toEqual([...FIELDS.keys()]);
  expect(english!.fields.map(({ label }) => label)).not.toEqual(indonesian!.fields.map(({ label }) => label));
  const rsi = english!.fields.find(({ name }) => name === 'rsi_14');
  expect(rsi).toMatchObject({ type: 'number', unit: 'points', since: dates[14], values: [] });
  expect(rsi).toMatchObject({
    formula: 'rsi(close, 14). 50 for a price that did not move.',
    null_means:
      'The stock has not traded for long enough. Also if the stock did not trade on the day. Also if its window reaches across a trading day that the data lack.',
  });
  expect(indonesian!.fields.find(({ name }) => name === 'rsi_14')).toMatchObject({
    formula: 'rsi(close, 14). 50 bila harga tidak bergerak.',
    null_means:
      'Riwayat perdagangan saham belum cukup panjang. Juga bila saham tidak diperdagangkan pada hari itu. Juga bila jangka waktunya melewati hari bursa yang datanya tidak ada.',
  });
  expect(english!.fields.find(({ name }) => name === 'sector')!.values).toEqual([
    'Sector 0',
    'Sector 1',
    'Sector 2',
  ]);
  expect(english!.fields.find(({ name }) => name === 'top_buyer')!.since).toBeUndefined();
});

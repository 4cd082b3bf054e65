import { describe, expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { anybody, operator } from '#support/services/dataset-client.ts';
import { idxDayFile, idxFile, weekdays, type IdxDay } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const days = weekdays('2024-07-01', 8);
const HEADER = 'ticker,kind,ex_date,known_on,ratio,amount,note';

/** A close of 1,000 before, and half of it from the fourth day on. `shares` says whether the listed shares show a split. */
function halved({ shares = true, previous = 500 } = {}): IdxDay[] {
  return days.map((date, i) => {
    const isAfter = i >= 3;
    return {
      date,
      close: isAfter ? 500 : 1_000,
      ...(i === 3 && { previous }),
      listed_shares: isAfter && shares ? 2_000_000 : 1_000_000,
    };
  });
}

const table = (...lines: string[]) => Buffer.from([HEADER, ...lines, ''].join('\n'));
const files = (bars: IdxDay[], ...lines: string[]) => ({
  'actions.csv': table(...lines).toString(),
  'bars/AAAA.csv': idxFile(bars),
});
const stored = (version: string) =>
  own.select<Record<string, unknown>>(
    `SELECT ticker, kind, toString(ex_date) AS ex_date, ratio, status, toString(applied_on) AS applied_on
     FROM market.corporate_action WHERE dataset_version = {version:String} ORDER BY ex_date, kind`,
    { version },
  );
const factors = async (version: string) =>
  (
    await own.select<{ factor: number; share_factor: number }>(
      `SELECT factor, share_factor FROM market.daily_bar
       WHERE dataset_version = {version:String} AND ticker = 'AAAA' ORDER BY date`,
      { version },
    )
  ).map(({ factor, share_factor }) => [factor, share_factor]);
const lateFactors = (version: string) =>
  own.select(
    `SELECT ticker, toString(date) AS date, toString(known_on) AS known_on, factor, share_factor
     FROM market.late_factor WHERE dataset_version = {version:String}`,
    { version },
  );
const NONE = [1, 1];

describe('a table of corporate actions', () => {
  test('alone is added to the served bars, and days that are added later keep it', async () => {
    await own.importFiles({ 'bars/AAAA.csv': idxFile(halved()) });
    const first = await own.importBytes(
      table(`AAAA,split,${days[3]},2024-06-20,2,,`, `AAAA,dividend,${days[5]},2024-06-20,,10,`),
      { source: 'actions.csv' },
    );
    expect(first.action_table).toEqual({ actions: 2, actions_before: 0 });
    expect(first.dataset).toMatchObject({ bars: 8, source: expect.stringContaining('added to') as string });
    const rows = [
      { ticker: 'AAAA', kind: 'split', ex_date: days[3], ratio: 2, status: 'confirmed', applied_on: days[3] },
      { ticker: 'AAAA', kind: 'dividend', ex_date: days[5], ratio: null, status: 'stated', applied_on: null },
    ];
    expect(await stored(first.dataset!.version)).toEqual(rows);
    const day = idxDayFile([
      { ticker: 'AAAA', date: '2024-07-11', close: 505, previous: 500, listed_shares: 2_000_000 },
    ]);
    const second = await own.importBytes(Buffer.from(day), { source: 'day.csv', header: { adds: true } });
    expect(second.action_table).toBeUndefined();
    expect(second.dataset!.bars).toBe(9);
    expect(await stored(second.dataset!.version)).toEqual(rows);
  });

  test('replaces the one before it as a whole; a full import without one has none', async () => {
    await own.importFiles(files(halved(), `AAAA,split,${days[3]},2024-06-20,2,,`));
    const { action_table, dataset } = await own.importBytes(
      table(`AAAA,delisting,${days[7]},2024-06-20,,,`),
      {
        source: 'actions.csv',
      },
    );
    expect(action_table).toEqual({ actions: 1, actions_before: 1 });
    expect(await stored(dataset!.version)).toMatchObject([{ kind: 'delisting' }]);
    const whole = await own.importFiles({ 'bars/AAAA.csv': idxFile(halved()) });
    expect(await stored(whole.dataset!.version)).toEqual([]);
  });

  test('with a mistake refuses the whole upload, naming file, line and field', async () => {
    const before = await own.state();
    await expect(
      own.importFiles(files(halved(), `AAAA,split,${days[3]},2024-06-20,0.5,,`)),
    ).rejects.toMatchObject({
      code: 'import_rejected',
      message: "actions.csv:2: ratio must be a number from 1 to 1000, and is '0.5'",
    });
    const twice = { ...files(halved(), `AAAA,delisting,${days[3]},2024-06-20,,,`) };
    await expect(own.importFiles({ ...twice, 'b.csv': twice['actions.csv'] })).rejects.toMatchObject({
      message: 'b.csv: the upload has another table of corporate actions already.',
    });
    expect(await own.state()).toEqual(before);
  });
});

describe('adjustment', () => {
  const importWith = async (bars: IdxDay[], ...lines: string[]) => {
    const { dataset, findings } = await own.importFiles(files(bars, ...lines));
    return { version: dataset!.version, findings };
  };
  const closes = async () =>
    (await own.market.getSnapshot({ ticker: 'AAAA', days: 8 }, anybody)).ohlcv.map(({ close }) => close);

  test('a stated split that the exchange did not show restates prices and share counts before it', async () => {
    const bars = halved({ shares: false, previous: 1_000 });
    const { version, findings } = await importWith(bars, `AAAA,split,${days[3]},2024-06-20,2,,`);
    expect(await factors(version)).toEqual([NONE, NONE, NONE, [0.5, 0.5], NONE, NONE, NONE, NONE]);
    expect(await closes()).toEqual(days.map(() => 500));
    expect(findings).toEqual([
      {
        finding: 'stated corporate action that no reference price shows',
        count: 1,
        first_at: `AAAA ${days[3]}`,
      },
    ]);
  });

  test('an action on a day without a bar applies on the next bar within a month, and on none after that', async () => {
    const gap = weekdays('2024-08-12', 2).map((date, i) => ({
      date,
      close: 500,
      previous: i === 0 ? 1_000 : 500,
    }));
    const bars = [...halved({ shares: false, previous: 1_000 }).slice(0, 3), ...gap];
    const near = await importWith(bars, 'AAAA,split,2024-07-20,2024-06-20,2,,');
    expect(await factors(near.version)).toEqual([NONE, NONE, NONE, [0.5, 0.5], NONE]);
    const far = await importWith(bars, 'AAAA,split,2024-07-10,2024-06-20,2,,');
    expect(await factors(far.version)).toEqual([NONE, NONE, NONE, NONE, NONE]);
  });

  test('a stated action overrules another detection, which is told and no longer adjusts', async () => {
    const { version, findings } = await importWith(
      halved({ shares: false }),
      `AAAA,rights,${days[2]},2024-06-20,1,,none`,
    );
    expect(await factors(version)).toEqual(days.map(() => NONE));
    expect(await closes()).toEqual([1_000, 1_000, 1_000, 500, 500, 500, 500, 500]);
    expect(await stored(version)).toMatchObject([
      { kind: 'rights', status: 'stated' },
      { kind: 'rights', status: 'overruled', ex_date: days[3] },
    ]);
    expect(findings).toEqual([
      {
        finding: 'detected corporate action that the table overrules',
        count: 1,
        first_at: `AAAA ${days[3]}`,
      },
    ]);
  });

  test('rights with their price restate to the theoretical price after them, and no share counts', async () => {
    const bars = halved({ shares: false, previous: 1_000 });
    const { version } = await importWith(bars, `AAAA,rights,${days[3]},2024-06-20,1.25,500,`);
    expect((await factors(version))[3]).toEqual([0.9, 1]);
  });

  test('a detection that the table lacks stays, and is told', async () => {
    const { version, findings } = await importWith(halved(), `AAAA,delisting,${days[7]},2024-06-20,,,`);
    expect((await factors(version))[3]).toEqual([0.5, 0.5]);
    expect(findings).toEqual([
      { finding: 'detected corporate action that the table lacks', count: 1, first_at: `AAAA ${days[3]}` },
    ]);
  });

  test('a dividend restates no price; the total return has it, and the snapshot lists it', async () => {
    await importWith(
      halved(),
      `AAAA,split,${days[3]},2024-06-20,2,,`,
      `AAAA,dividend,${days[5]},2024-06-20,,10,`,
    );
    const { actions, returns, ohlcv } = await own.market.getSnapshot({ ticker: 'AAAA', days: 8 }, anybody);
    expect(ohlcv.map(({ close }) => close)).toEqual(days.map(() => 500));
    expect(actions.map(({ kind, status, ex_date }) => [kind, status, ex_date])).toEqual([
      ['dividend', 'stated', days[5]],
      ['split', 'confirmed', days[3]],
    ]);
    expect(returns[1]).toEqual({ days: 5, price_return_pct: 0, total_return_pct: 2, dividends: 10 });
    await importWith(halved(), `AAAA,split,${days[3]},2024-06-20,2,,`);
    const without = await own.market.getSnapshot({ ticker: 'AAAA', days: 1 }, anybody);
    expect(without.returns[1]).toMatchObject({ price_return_pct: 0, total_return_pct: undefined });
  });

  test('an action known after its day says what applied before; one known after all days is not used', async () => {
    const late = `AAAA,rights,${days[3]},${days[5]},1,,a slip of the exchange`;
    const { version, findings } = await importWith(halved({ shares: false }), late);
    expect(await lateFactors(version)).toEqual([
      { ticker: 'AAAA', date: days[3], known_on: days[5], factor: 0.5, share_factor: 1 },
    ]);
    expect(findings).toContainEqual({
      finding: 'bar whose adjustment became known later',
      count: 1,
      first_at: `AAAA ${days[3]}`,
    });
    const future = await importWith(halved(), `AAAA,rights,${days[3]},2024-08-01,1,,`);
    expect((await factors(future.version))[3]).toEqual([0.5, 0.5]);
    expect(future.findings.map(({ finding }) => finding)).toContain(
      'corporate action that is not known yet on the last day',
    );
  });

  test('bars as the exchange published them are the same with and without a table', async () => {
    const raw = async (version: string) =>
      own.select(
        `SELECT * EXCEPT (dataset_version, factor, share_factor) FROM market.daily_bar
         WHERE dataset_version = {version:String} ORDER BY ticker, date`,
        { version },
      );
    const without = await own.importFiles({ 'bars/AAAA.csv': idxFile(halved()) });
    const { version } = await importWith(halved(), `AAAA,split,${days[3]},2024-06-20,4,,`);
    expect(await raw(version)).toEqual(await raw(without.dataset!.version));
  });
});

test('a pruned version leaves none of its corporate actions behind', async () => {
  await own.importFiles(files(halved(), `AAAA,rights,${days[3]},${days[5]},1,,`));
  await own.importFiles({ 'bars/AAAA.csv': idxFile(halved()) });
  await own.datasets.pruneDatasets({ keep: 1, stay: [] }, operator);
  expect(await own.select('SELECT * FROM market.corporate_action')).toEqual([]);
  expect(await own.select('SELECT * FROM market.late_factor')).toEqual([]);
});

describe('bonus shares that are listed eleven days after their ex-day', () => {
  const calendar = weekdays('2014-05-12', 50);
  const [ex, listed] = [25, 36];
  /** IMPC in June and July 2023, in other days: 1:11, at a reference price that is rounded to the tick. */
  const bars = calendar.map((date, i): IdxDay & { ticker: string } => ({
    ...{ ticker: 'AAAA', date, close: i < ex ? 3_900 : 354, volume: i < ex ? 5_000 : 55_000 },
    listed_shares: i < listed ? 4_933_500_000 : 54_268_500_000,
  }));
  const rights = bars.map((bar, i) => ({
    ...bar,
    ticker: 'BBBB',
    listed_shares: i < ex + 5 ? 1_000_000 : 1_400_000,
  }));
  const importUpTo = (end: number, more: Record<string, string> = {}) =>
    own.importFiles({
      'bars/AAAA.csv': idxFile(bars.slice(0, end)),
      'bars/BBBB.csv': idxFile(rights.slice(0, end)),
      ...more,
    });
  const addDay = (i: number) =>
    own.importBytes(Buffer.from(idxDayFile([bars[i]!, rights[i]!])), {
      ...{ source: 'day.csv', header: { adds: true } },
    });
  const storedOf = async (dataset: Dataset) => ({
    bars: await own.barsOf(dataset),
    late: await lateFactors(dataset.version),
  });
  const bonus = {
    ticker: 'AAAA',
    date: calendar[ex],
    known_on: calendar[listed],
    factor: 354 / 3_900,
    share_factor: 1,
  };

  test('restate by their exact ratio from the listing on, also when days are added one by one', async () => {
    const { dataset } = await importUpTo(listed + 3);
    const whole = await storedOf(dataset!);
    expect(whole.late).toEqual([bonus]);
    expect((await factors(dataset!.version))[ex]).toEqual([1 / 11, 1 / 11]);
    const before = (await importUpTo(listed)).dataset!.version;
    expect(await lateFactors(before)).toEqual([]);
    expect((await factors(before))[ex]).toEqual([354 / 3_900, 1]);
    for (const i of [listed, listed + 1]) await addDay(i);
    const { dataset: added } = await addDay(listed + 2);
    expect(await storedOf(added!)).toEqual(whole);
    // Its ex-day is then more trading days ago than any listing waits.
    const next = Array.from({ length: 10 }, (_, i) => [bars[listed + 3 + i]!, rights[listed + 3 + i]!]);
    await own.importBytes(Buffer.from(idxDayFile(next.flat())), {
      header: { adds: true },
      source: 'days.csv',
    });
    await addDay(listed + 13);
    const later = await own.select<{ known_on: string }>(
      'SELECT toString(known_on) AS known_on FROM market.late_factor ORDER BY dataset_version DESC LIMIT 1',
    );
    expect(later).toEqual([{ known_on: calendar[listed] }]);
  });

  test('are known at once if a table states them in time, and rights that it states leave no doubt', async () => {
    const { dataset } = await importUpTo(listed + 3, {
      'actions.csv': table(
        `AAAA,bonus,${calendar[ex]},2014-05-20,11,,`,
        `BBBB,rights,${calendar[ex]},2014-05-20,,,`,
      ).toString(),
    });
    const { version } = dataset!;
    expect((await factors(version))[ex]).toEqual([1 / 11, 1 / 11]);
    expect(await lateFactors(version)).toEqual([{ ...bonus, ticker: 'BBBB', known_on: '2014-05-20' }]);
    expect(await stored(version)).toMatchObject([{ status: 'confirmed' }, { status: 'confirmed' }]);
  });

  test('that a table states between ex-day and listing, or after it, are seen as they were known before', async () => {
    for (const [knownOn, rows] of [
      [calendar[ex + 3]!, [{ ...bonus, known_on: calendar[ex + 3] }]],
      [
        calendar[listed + 2]!,
        [bonus, { ...bonus, known_on: calendar[listed + 2], factor: 1 / 11, share_factor: 1 / 11 }],
      ],
    ] as [string, object[]][]) {
      const { dataset } = await importUpTo(listed + 3, {
        'actions.csv': table(`AAAA,bonus,${calendar[ex]},${knownOn},11,,`).toString(),
      });
      expect(await lateFactors(dataset!.version)).toEqual(expect.arrayContaining(rows));
      expect((await factors(dataset!.version))[ex]).toEqual([1 / 11, 1 / 11]);
    }
  });
});

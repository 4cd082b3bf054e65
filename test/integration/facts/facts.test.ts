import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FactServiceService, type FactsOutcome } from '#proto/saring/market_data/v1/facts.ts';
import {
  FieldServiceService,
  type FollowedResult,
  type FollowedScreen,
  type ScreenRow,
  type ScreenStocksRequest,
} from '#proto/saring/market_data/v1/fields.ts';
import {
  ModelResultServiceService,
  type StockResult,
  type StoreModelResultRequest,
} from '#proto/saring/market_data/v1/model_results.ts';
import { uploadMessages } from '#shared/data-format/upload-messages.ts';
import { operator } from '#support/services/dataset-client.ts';
import { idxDayFile, idxFile, weekdays } from '#support/markets/idx-archive.ts';
import { clientOf, identityOf, type ServiceProcess } from '#support/processes/service-process.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const days = weekdays('2024-07-01', 8);
const CALL = { requestId: 'req_test' };
const TABLE = `ticker,kind,ex_date,known_on,new_ticker\nOLDA,ticker_change,${days[4]},2024-06-20,AAAA\n`;

let copy: ServiceProcess;
let [here, there] = [{} as ReturnType<typeof clientsOf>, {} as ReturnType<typeof clientsOf>];

function clientsOf(address: string) {
  return {
    facts: clientOf(FactServiceService, address, { timeoutMs: 60_000 }),
    fields: clientOf(FieldServiceService, address, { identity: identityOf('screens'), timeoutMs: 60_000 }),
    results: clientOf(ModelResultServiceService, address, { identity: identityOf('models') }),
  };
}

beforeAll(async () => {
  await own.importFiles({
    'actions.csv': TABLE,
    'bars/OLDA.csv': idxFile(days.slice(0, 4).map((date) => ({ date, close: 100 }))),
    'bars/AAAA.csv': idxFile(days.slice(4).map((date) => ({ date, close: 100 }))),
    'bars/BBBB.csv': idxFile(days.map((date) => ({ date, close: 200 }))),
  });
  copy = await own.startCopy();
  [here, there] = [clientsOf(own.address), clientsOf(copy.address)];
});
afterAll(async () => {
  for (const clients of [here, there]) Object.values(clients).forEach((client) => client.close());
  await copy.kill();
});

const words = (text: string) => ({ id: `${text} (id)`, en: text });
const declaration = (name: string, more: object = {}) => ({
  name,
  label: words(name),
  source: 'Annual reports',
  null_means: words('No report yet.'),
  ...more,
});

interface Import {
  fields?: unknown;
  replaces?: boolean;
}

/** Imports lines of ticker, field, value and known_since. */
async function importFacts(
  lines: string[],
  { fields, replaces = false }: Import = {},
): Promise<FactsOutcome> {
  const csv = ['ticker,field,value,known_since', ...lines, ''].join('\n');
  return importText(csv, { fields, replaces });
}

async function importText(csv: string, { fields, replaces = false }: Import = {}): Promise<FactsOutcome> {
  const header = {
    source: 'facts.csv',
    declarations: fields === undefined ? '' : JSON.stringify(fields),
    replaces,
  };
  async function* bytes() {
    yield Buffer.from(csv);
  }
  const call = { ...operator, actor: 'ana' };
  for await (const { event } of here.facts.importFacts(uploadMessages(header, bytes()), call))
    if (event?.$case === 'outcome') return event.value;
  throw new Error('no outcome');
}

async function screen(request: Partial<ScreenStocksRequest>, { fields } = here) {
  const asked = { rules: '', universe: undefined, as_of: undefined, columns: [], ...request };
  const { rows_json, ...result } = await fields.screenStocks(asked, CALL);
  return { ...result, rows: JSON.parse(rows_json.toString()) as ScreenRow[] };
}
/** Values of a field by day for a stock. */
const valuesOf = (field: string, ticker: string, at = here) =>
  Promise.all(
    days.map(async (as_of) => {
      const { rows } = await screen(
        { as_of, columns: [field], universe: { sector: undefined, tickers: [ticker] } },
        at,
      );
      return (rows[0]!.values as Record<string, unknown>)[field];
    }),
  );
/** The results of screens, asked for again while a busy machine gives one up. */
async function followed(...screens: FollowedScreen[]): Promise<FollowedResult[]> {
  for (;;) {
    const { results } = await here.fields.followScreens({ screens, as_of: undefined }, CALL);
    if (results.length === screens.length && !results.some(({ may_pass }) => may_pass)) return results;
  }
}

const names = async (at = here) =>
  (await at.fields.listFields({ language: 'en' }, CALL)).fields
    .filter(({ group }) => group === 'facts')
    .map(({ name }) => name);

describe('imported facts', () => {
  test('are fields from the day since which they were known, of the same standing as others', async () => {
    const outcome = await importFacts(
      [
        `AAAA,free_float,40,${days[1]}`,
        `bbbb,free_float,25.50,${days[1]}`,
        `BBBB,free_float,,${days[6]}`,
        `ZZZZ,free_float,7,${days[0]}`,
        `AAAA,auditor,"KAP Satu, Dua",2020-01-01`,
        `BBBB,is_sharia,TRUE,${days[2]}`,
      ],
      {
        fields: [
          declaration('free_float', { unit: 'percent' }),
          declaration('auditor', { type: 'text' }),
          declaration('is_sharia', { type: 'boolean' }),
        ],
      },
    );
    expect(outcome).toMatchObject({
      rows_read: 6,
      rows_added: 6,
      unknown_tickers: ['ZZZZ'],
      unknown_ticker_count: 1,
    });
    expect(outcome.changed).toMatchObject([
      {
        name: 'free_float',
        rows: 4,
        tickers: 3,
        known_from: days[0],
        known_until: days[6],
        imported_by: 'ana',
      },
      { name: 'auditor', type: 'text', unit: 'none' },
      { name: 'is_sharia', type: 'boolean' },
    ]);
    expect(await valuesOf('free_float', 'BBBB')).toEqual([null, 25.5, 25.5, 25.5, 25.5, 25.5, null, null]);
    expect((await valuesOf('is_sharia', 'BBBB')).slice(1, 3)).toEqual([null, true]);
    const changed = await screen({ rules: 'change(free_float, 2d) > 0', as_of: days[5]! });
    expect(changed.rows).toEqual([]);
  });

  test('are known to every copy of the service, and so are corrections and removals', async () => {
    expect(await names(there)).toEqual(await names());
    // Rules with a new name are understood by a copy that has not heard of it.
    await importFacts([`AAAA,new_one,1,${days[0]}`], { fields: [declaration('new_one')] });
    expect((await screen({ rules: 'new_one = 1' }, there)).rows).toHaveLength(1);
    await importFacts([`AAAA,new_one,2,${days[3]}`]);
    await expect.poll(() => valuesOf('new_one', 'AAAA', there)).toEqual([1, 1, 1, 2, 2, 2, 2, 2]);
    await here.facts.removeFact({ name: 'new_one' }, operator);
    await expect.poll(() => names(there)).not.toContain('new_one');
  });

  test('of a past day stay as they were when a correction comes, and a row that is there already changes nothing', async () => {
    await importFacts([`BBBB,eps,10,${days[1]}`], { fields: [declaration('eps')] });
    const correction = [`BBBB,eps,10,${days[1]}`, `BBBB,eps,12,${days[4]}`];
    expect(await importFacts(correction)).toMatchObject({
      rows_added: 1,
      changed: [{ name: 'eps', rows: 2 }],
    });
    expect(await valuesOf('eps', 'BBBB')).toEqual([null, 10, 10, 10, 12, 12, 12, 12]);
    const before = await here.facts.listFacts({}, operator);
    expect(await importFacts(correction)).toMatchObject({ rows_added: 0, changed: [] });
    expect(await here.facts.listFacts({}, operator)).toEqual(before);
  });

  test('that would change what was known on a day are refused, unless all values are replaced', async () => {
    await importFacts([`BBBB,dps,1,${days[1]}`, `AAAA,dps,5,${days[1]}`], { fields: [declaration('dps')] });
    await expect(importFacts([`AAAA,dps,6,${days[2]}`, `BBBB,dps,2,${days[1]}`])).rejects.toMatchObject({
      code: 'import_rejected',
      message:
        `facts.csv:3: dps of BBBB is '1' since ${days[1]} already. State a correction with the day since which it is known, or ` +
        'replace all values of the field',
    });
    expect(await valuesOf('dps', 'AAAA')).toEqual([null, 5, 5, 5, 5, 5, 5, 5]);
    await importFacts([`BBBB,dps,2,${days[1]}`], { replaces: true });
    expect(await valuesOf('dps', 'BBBB')).toEqual([null, 2, 2, 2, 2, 2, 2, 2]);
    expect(await valuesOf('dps', 'AAAA')).toEqual(days.map(() => null));
  });

  test('of a stock that was renamed stand under its new name', async () => {
    await importFacts([`OLDA,roe,8,${days[1]}`, `AAAA,roe,9,${days[5]}`], { fields: [declaration('roe')] });
    expect(await valuesOf('roe', 'AAAA')).toEqual([null, 8, 8, 8, 8, 9, 9, 9]);
  });

  test('stay when the market gets another day, whose value is the newest known one', async () => {
    await importFacts([`BBBB,kept,3,${days[2]}`], { fields: [declaration('kept')] });
    const day = idxDayFile([{ ticker: 'BBBB', date: '2024-07-11', close: 205, previous: 200 }]);
    await own.importBytes(Buffer.from(day), { source: 'day.csv', header: { adds: true } });
    const { rows, as_of } = await screen({ rules: 'kept = 3' });
    expect([as_of, rows.map(({ ticker }) => ticker)]).toEqual(['2024-07-11', ['BBBB']]);
  });

  test('that are removed make rules that name them fail with the name, and the other screens of a call do not', async () => {
    await importFacts([`BBBB,withdrawn_later,3,${days[2]}`], { fields: [declaration('withdrawn_later')] });
    const one = { universe: undefined, previous_as_of: undefined, previous_tickers: [] };
    const rules = { where: { field: 'withdrawn_later', above: 1 } };
    expect((await screen({ rules })).rows).toHaveLength(1);
    expect((await here.facts.removeFact({ name: 'withdrawn_later' }, operator)).removed).toMatchObject({
      name: 'withdrawn_later',
      rows: 1,
    });
    await expect(screen({ rules })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['rules', 'where', 'field'], msg: 'no field `withdrawn_later`' }],
    });
    const [gone, sound] = [
      { ...one, id: 'a', rules },
      { ...one, id: 'b', rules: { limit: 5 } },
    ];
    expect((await followed(gone, sound)).map(({ failure }) => failure)).toEqual([
      'rules.where.field: no field `withdrawn_later`',
      undefined,
    ]);
    await expect(here.facts.removeFact({ name: 'withdrawn_later' }, operator)).rejects.toMatchObject({
      code: 'not_found',
      message: "There is no fact withdrawn_later. 'saring facts list' shows which there are.",
    });
  });
});

describe('a file with a mistake', () => {
  const good = `AAAA,eps,10,${days[7]}`;
  test.each([
    [
      'AAAA,eps,ten,2024-07-01',
      "value must be a number such as -12.5, from -1e+30 to 1e+30 for eps, or empty, and is 'ten'",
    ],
    ['AAAA,is_sharia,1,2024-07-01', "value must be true or false for is_sharia, or empty, and is '1'"],
    [
      'AAAA,eps,1,2024-02-30',
      "known_since must be a day YYYY-MM-DD from 1977-08-10 to 2149-06-06, and is '2024-02-30'",
    ],
    [
      'A,eps,1,2024-07-01',
      "ticker must be 2 to 12 letters, digits or hyphens that begin with a letter, and is 'A'",
    ],
    ['AAAA,epz,1,2024-07-01', "field must be a declared field, such as eps, and is 'epz'"],
    ['AAAA,eps,1', '3 cells under 4 columns'],
    [`AAAA,eps,11,${days[7]}`, `eps of AAAA is '10' since ${days[7]} in line 2 already`],
  ])('%s is refused as a whole, with line and column', async (line, what) => {
    // An import also removes values that nothing needs any more, and does so before it fails.
    await importFacts([good]);
    await expect(importFacts([good, line])).rejects.toThrow();
    const before = [await here.facts.listFacts({}, operator), await own.state()];
    await expect(importFacts([good, line])).rejects.toMatchObject({
      code: 'import_rejected',
      message: `facts.csv:3: ${what}`,
    });
    expect([await here.facts.listFacts({}, operator), await own.state()]).toEqual(before);
  });

  test.each([
    ['ticker,field,value\n', 'facts.csv:1: the table of facts lacks known_since'],
    ['', 'facts.csv:1: the table is empty; it begins with ticker,field,value,known_since'],
    [`ticker,field,value,known_since\nAAAA,eps,10,${days[7]}`, undefined],
  ])('%j is understood or refused as a table', async (csv, message) => {
    const imported = importText(csv);
    if (message === undefined) expect(await imported).toMatchObject({ rows_read: 1 });
    else await expect(imported).rejects.toMatchObject({ code: 'import_rejected', message });
  });
});

describe('a declaration with a mistake', () => {
  const line = `AAAA,fresh,1,${days[0]}`;
  test.each([
    [{ name: 'rsi_14' }, ['fields', 0, 'name'], 'must not be the name of a computed field, and rsi_14 is'],
    [{ name: 'limit' }, ['fields', 0, 'name'], 'must not be a word of the rules, and limit is'],
    [{ unit: 'lots' }, ['fields', 0, 'unit'], 'must be one of idr_per_share, idr, shares, percent'],
    [{ type: 'text', unit: 'idr' }, ['fields', 0, 'unit'], 'must be none for type text'],
    [{ label: { en: 'x' } }, ['fields', 0, 'label', 'id'], 'is required'],
    [{ name: 'Fresh' }, ['fields', 0, 'name'], 'must be a lower-case letter, then up to 49'],
  ])('%j is refused at its place', async (more, loc, msg) => {
    const fields = [{ ...declaration('fresh'), ...more }];
    await expect(importFacts([line], { fields })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc, msg: expect.stringContaining(msg) as string }],
    });
  });

  test('may change words and unit of a field, and its type only with all values', async () => {
    await importFacts([line], { fields: [declaration('fresh')] });
    const renamed = declaration('fresh', { label: words('Fresh'), unit: 'times' });
    expect(await importFacts([], { fields: [renamed] })).toMatchObject({
      rows_added: 0,
      changed: [{ name: 'fresh', label: 'Fresh', unit: 'times', rows: 1 }],
    });
    expect(await valuesOf('fresh', 'AAAA')).toEqual(days.map(() => 1));
    const retyped = { fields: [declaration('fresh', { type: 'text' })] };
    await expect(importFacts([], retyped)).rejects.toMatchObject({
      message:
        'Nothing was imported: the values of fresh are of type number; replace all of them to make it text.',
    });
    await importFacts([`AAAA,fresh,yes,${days[0]}`], { ...retyped, replaces: true });
    expect(await valuesOf('fresh', 'AAAA')).toEqual(days.map(() => 'yes'));
    await expect(importFacts([], { fields: [declaration('empty')] })).rejects.toMatchObject({
      message: 'Nothing was imported: the field empty is declared, and the file has no value of it.',
    });
  });
});

describe('daily results of models', () => {
  const stock = (ticker: string, result: Partial<StockResult> = {}): StockResult => ({
    ticker,
    picked: false,
    ...result,
  });
  const store = (
    model_id: string,
    as_of: string,
    stocks: StockResult[],
    more: Partial<StoreModelResultRequest> = {},
    { results } = here,
  ) => {
    const run = { dataset_kind: 'real', job_id: `job_${as_of}`, dataset_version: 'real-1', ...more };
    return results.storeModelResult({ model_id, as_of, stocks, ...run }, CALL);
  };
  const PICK = { probability: 70, rank: 1, picked: true };
  const sinceOf = async (field: string) =>
    (await here.fields.listFields({ language: 'en' }, CALL)).fields.find(({ name }) => name === field)!.since;

  test('are fields of their very day, of a renamed stock under its new name, and null before the first', async () => {
    const nulls = days.map(() => null);
    expect(await valuesOf('model_f_combined.probability', 'AAAA')).toEqual(nulls);
    expect(await sinceOf('model_f_combined.picked')).toBeUndefined();
    const scored = [
      stock('OLDA', PICK),
      stock('BBBB', { probability: 60 }),
      stock('ZZZZ', { probability: 1 }),
    ];
    await store('model_f_combined', days[1]!, scored);
    await store('model_f_combined', days[5]!, [stock('AAAA', { probability: 55, rank: 2 })]);
    expect(await valuesOf('model_f_combined.probability', 'AAAA')).toEqual(nulls.with(1, 70 as never).with(5, 55 as never)); // prettier-ignore
    expect(await valuesOf('model_f_combined.rank', 'BBBB')).toEqual(nulls);
    expect(await valuesOf('model_f_combined.picked', 'BBBB')).toEqual(nulls.with(1, false as never));
    expect(await sinceOf('model_f_combined.picked')).toBe(days[1]);
  });

  test('of a day stay as they are when another is stored, and those of a generated market are its own', async () => {
    const before = await valuesOf('model_f_combined.probability', 'AAAA');
    await store('model_f_combined', days[1]!, [stock('AAAA', { probability: 1 })], { job_id: 'job_other' });
    await store('model_f_combined', days[2]!, [stock('AAAA', PICK)], { dataset_kind: 'synthetic' });
    expect(await valuesOf('model_f_combined.probability', 'AAAA')).toEqual(before);
  });

  test('are seen by every copy of the service, whichever stores them', async () => {
    const picks = () => valuesOf('gann_classic_v7.picked', 'BBBB');
    expect((await picks())[3]).toBe(null);
    await store('gann_classic_v7', days[3]!, [stock('BBBB', PICK)], {}, there);
    await expect.poll(async () => (await picks())[3]).toBe(true);
    // Two copies that store one result at once leave one result.
    const of = [stock('BBBB', { probability: 64, picked: true })];
    await Promise.all([here, there].map((at) => store('gann_classic_v7', days[4]!, of, {}, at)));
    expect((await valuesOf('gann_classic_v7.probability', 'BBBB'))[4]).toBe(64);
  });

  test('that a followed screen reads are awaited for the newest day, if the day before had them', async () => {
    const { as_of } = await screen({});
    const rules = { where: { field: 'confluence_filter.picked', equal: true } };
    const one = { id: 'a', rules, universe: undefined, previous_as_of: undefined, previous_tickers: [] };
    const follow = async (waits_for_results: boolean) => (await followed({ ...one, waits_for_results }))[0]!;
    expect((await follow(true)).awaits_results).toBeUndefined();
    await store('confluence_filter', days[6]!, [stock('BBBB', { picked: true })]);
    for (const waits of [true, false])
      expect(await follow(waits)).toMatchObject({ tickers: [], awaits_results: true });
    await store('confluence_filter', as_of, [stock('BBBB', { picked: true })]);
    const come = await follow(true);
    expect([come.tickers, come.awaits_results]).toEqual([['BBBB'], undefined]);
  });
});

test('across a missing day of the market no window has a value, and once it lies behind every one has', async () => {
  const closes = [1_000, 1_050, 1_160, 1_170, 1_180, 1_190];
  const previous = [1_000, 1_000, 1_150, 1_160, 1_170, 1_180];
  const known = days.toSpliced(2, 1);
  const bars = closes.map((close, i) => ({ date: known[i]!, close, previous: previous[i]! }));
  await own.importFiles({ 'bars/QAAA.csv': idxFile(bars), 'bars/QBBB.csv': idxFile(bars) });
  const columns = ['ret_3d', 'ret_1d', 'day_change_pct'];
  const values = async (day: number) => (await screen({ as_of: known[day]!, columns })).rows[0]!.values;
  expect(await values(2)).toEqual({ ret_3d: null, ret_1d: null, day_change_pct: 0.8695652 });
  expect(await values(3)).toEqual({ ret_3d: null, ret_1d: 0.862069, day_change_pct: 0.862069 });
  expect(await values(5)).toEqual({ ret_3d: 2.586207, ret_1d: 0.8474576, day_change_pct: 0.8474576 });
  const passing = async (rules: string) =>
    [3, 5].map(async (day) => (await screen({ as_of: known[day]!, rules })).rows.length);
  expect(await Promise.all(await passing('change(close, 1d) > 0'))).toEqual([2, 2]);
  expect(await Promise.all(await passing('change(close, 3d) > 0'))).toEqual([0, 2]);
  expect(await Promise.all(await passing('not close crossed above 9 within 3 days'))).toEqual([0, 2]);
});

import { beforeAll, expect, inject, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { evaluateDay } from '#fields/evaluation/evaluate.ts';
import { oneDayMarket } from '#fields/evaluation/one-day.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { savedScreen } from '#support/declared-api/request-parts.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { errorCode } from '#support/rest/rest.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const tenant = ownTenant();
const ALICE = { endUser: 'alice' };
const BOB = { endUser: 'bob' };

beforeAll(async () => void (await savedScreen(tenant.rest, 'tester')));

test('the catalogue lists every field in the language of the caller, and rules can name each of them', async () => {
  const { body } = await tenant.rest.get<{ fields: { name: string; label: string }[]; count: number }>(
    '/api/v1/fields',
    { headers: { 'accept-language': 'en' } },
  );
  expect(body.fields).toHaveLength(body.count);
  expect(body.count).toBeGreaterThan(100);
  const indonesian = await tenant.rest.get<typeof body>('/api/v1/fields');
  expect(indonesian.body.fields.map(({ label }) => label)).not.toEqual(body.fields.map(({ label }) => label));
  const names = body.fields.map(({ name }) => name);
  for (let from = 0; from < names.length; from += 30) {
    const rules = names.slice(from, from + 30).map((name) => `${name} is not null`).join(' or '); // prettier-ignore
    // The first evaluation computes the fields, for which a busy machine may need longer than the gateway waits.
    const preview = async () => (await tenant.rest.post('/api/v1/screens/preview', { rules }, ALICE)).status;
    await expect.poll(preview, { interval: 500 }).toBe(200);
  }
});

test('the values of all fields are those with which rules pass, as JSON and as CSV', async () => {
  const { screens } = tenant.client;
  const day = await screens.fieldValues();
  const fields = await screens.fields();
  expect(Object.keys(day.values)).toEqual(expect.arrayContaining(fields.map(({ name }) => name)));
  expect(day.tickers).toEqual(day.tickers.toSorted());
  const types = new Map(fields.map(({ name, type }) => [name, { type, unit: 'none' } as const]));
  const rules = 'rank(value_idr) <= 10 and close > sma_20 sort by rsi_14 desc';
  const { stocks } = evaluateDay(parseRules(rules, types), oneDayMarket(day, types), 0);
  const { rows, as_of, screened } = await screens.preview({ rules, ...ALICE });
  expect(stocks.map(({ ticker }) => ticker)).toEqual(rows.map(({ ticker }) => ticker));
  expect(day).toMatchObject({ as_of, broker_data: 'synthetic' });
  expect(day.tickers).toHaveLength(screened);

  const again = await tenant.rest.get('/api/v1/fields/values', {
    headers: { 'If-None-Match': (await tenant.rest.get('/api/v1/fields/values')).headers.get('etag')! },
  });
  expect(again.status).toBe(304);

  const before = new Date(Date.parse(as_of) - 30 * DAY_MS).toISOString().slice(0, 10);
  const named = await screens.fieldValues({ fields: ['close', 'sector'], as_of: before });
  expect(Object.keys(named.values)).toEqual(['close', 'sector']);
  expect(named).toMatchObject({ broker_data: 'none' });
  expect(named.as_of <= before).toBe(true);
  const csv = await fetch(
    `${inject('baseUrl')}/api/v1/fields/values?fields=close,sector&as_of=${before}&format=csv`,
    {
      headers: { authorization: `Bearer ${tenant.key}` },
    },
  );
  expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
  const [head, first] = (await csv.text()).split('\r\n');
  expect(head).toBe('ticker,close,sector');
  expect(first!.split(',').slice(0, 2)).toEqual([named.tickers[0], String(named.values['close']![0])]);
});

test('a value that no field has is refused, with the field that was probably meant', async () => {
  const { status, body } = await tenant.rest.get('/api/v1/fields/values?fields=close,rsi14');
  expect(status).toBe(422);
  expect(body).toMatchObject({
    error: { code: 'invalid_request' },
    detail: [{ loc: ['query', 'fields', 1], msg: 'no field `rsi14`; did you mean rsi_14?' }],
  });
});

test('a screen is saved, run, explained, replaced and deleted', async () => {
  const { screens } = tenant.client;
  const rules = 'close > 100 sort by value_idr desc limit 5';
  const screen = await screens.create({ name: 'large', rules, ...ALICE });
  const { screen_id } = screen;
  expect(screen).toMatchObject({ version: 1, rules: { limit: 5 }, universe: null, shared: false });
  expect(screen.rules_text).toBe(rules);

  const { body: run, headers } = await tenant.rest.post<Schemas['ScreenRun']>(
    `/api/v1/screens/${screen_id}/run?columns=rsi_14`,
    undefined,
    ALICE,
  );
  expect(run).toMatchObject({ screen_id, version: 1 });
  expect(headers.get('x-dataset-version')).toBe(run.dataset_version);
  expect(run.matched).toBeGreaterThanOrEqual(run.rows.length);
  const values = run.rows.map((row) => row.values['value_idr'] as number);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  for (const row of run.rows) expect(Object.keys(row.values)).toContain('rsi_14');

  const { ticker } = run.rows[0]!;
  const explained = await screens.explain(screen_id, ticker, ALICE);
  expect(explained).toMatchObject({ screen_id, ticker, is_member: true, place: 1 });
  expect(explained.rules[0]).toMatchObject({ rule: 'close > 100', passed: true });

  const second = await screens.replace(screen_id, {
    name: 'small',
    rules: { limit: 3 },
    version: 1,
    ...ALICE,
  });
  expect(second).toMatchObject({ version: 2, name: 'small', rules_text: 'limit 3' });
  const stale = screens.replace(screen_id, { name: 'x', rules: '', version: 1, ...ALICE });
  await expect(stale).rejects.toMatchObject({ status: 409, code: 'stale_version' });
  expect(await screens.get(screen_id, { version: 1, ...ALICE })).toMatchObject({
    version: 1,
    rules_text: rules,
  });

  expect(await screens.delete(screen_id, ALICE)).toEqual({ screen_id, deleted: true });
  await expect(screens.get(screen_id, ALICE)).rejects.toMatchObject({
    status: 404,
    code: 'screen_not_found',
  });
});

test('a screen is judged by its past, on days whose outcomes are known, beside random choices', async () => {
  const { screens } = tenant.client;
  const { screen_id } = await screens.create({ name: 'past', rules: 'rsi_14 < 50 and is_liquid', ...ALICE });
  const judged = (query = '') =>
    tenant.rest.get<Schemas['ScreenPast']>(`/api/v1/screens/${screen_id}/past${query}`, ALICE);
  const { status, body } = await judged();
  expect(status).toBe(200);
  const { from, to, all, by_year, random, market } = body;
  expect({ market, open_days: body.open_days }).toEqual({ market: 'synthetic', open_days: 25 });
  expect(by_year.reduce((sum, { figures }) => sum + figures.days, 0)).toBe(all.days);
  expect(all.picks).toBeGreaterThan(100);
  expect(all.lift.value).toBeGreaterThan(0.5);
  expect(random!.draws).toBeGreaterThanOrEqual(100);
  expect(random!.low_pct).toBeLessThan(random!.high_pct);
  expect((await judged(`?from=${from}&to=${to}`)).body).toMatchObject({ from, to, open_days: 0, all });
  expect(await judged('?from=1999-01-04')).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query', 'from'], msg: expect.stringContaining('at most 5 years') as string }] },
  });
  expect((await judged(`?from=${to}&to=${from}`)).status).toBe(from === to ? 200 : 422);
  expect((await judged('?to=1999-01-04')).status).toBe(404);
});

test('every distinct trial on past days counts, deleted screens included, for its end user alone', async () => {
  const { screens } = tenant.client;
  const carol = { endUser: 'carol' };
  const create = async (rules: string, endUser = carol) =>
    (await screens.create({ name: rules, rules, shared: true, ...endUser })).screen_id;
  const first = await create('rsi_14 < 50 and is_liquid');
  const triedBy = async (screenId: string, endUser = carol) =>
    (await screens.past(screenId, endUser)).trials.count;
  expect([await triedBy(first), await triedBy(first)]).toEqual([1, 1]);
  const second = await create('rsi_14 < 45 and is_liquid');
  expect(await triedBy(second)).toBe(2);
  await screens.delete(second, carol);
  const past = await screens.past(first, carol);
  expect(past.trials.count).toBe(2);
  expect(past.trials.overfitting_pct).toBeNull();
  expect(past.verdict).toMatch(/^(worse|not_shown|shown_before_costs_only|shown)$/);
  expect(past.verdict_text).toMatch(/erbukti|^Lebih buruk/);
  expect(await triedBy(first, BOB)).toBe(1);
});

test('a run as CSV has a column for each value, and the same rows', async () => {
  const { screen_id } = await tenant.client.screens.create({
    name: 'x',
    rules: 'close > 0 limit 3',
    ...ALICE,
  });
  const path = `/api/v1/screens/${screen_id}/run?columns=value_idr`;
  const { body } = await tenant.rest.post<Schemas['ScreenRun']>(path, undefined, ALICE);
  const response = await fetch(`${inject('baseUrl')}${path}&format=csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'x-end-user': 'alice' },
  });
  expect(response.headers.get('content-type')).toContain('text/csv');
  const [header, ...rows] = (await response.text()).trimEnd().split('\r\n');
  expect(header).toBe('ticker,name,close,value_idr');
  expect(rows.map((row) => row.split(',')[0])).toEqual(body.rows.map((row) => row.ticker));
});

test.each([
  ['a text, by its column', { rules: 'rsi14 < 35' }, ['body', 'rules'], 'column 1: no field `rsi14`'],
  [
    'an object, by its path',
    { rules: { where: { field: 'close', over: 1 } } },
    ['body', 'rules', 'where', 'over'],
    '',
  ],
  [
    'a universe',
    { rules: '', universe: { sector: 'Energy', tickers: ['BBCA'] } },
    ['body', 'universe'],
    'at most one',
  ],
  [
    'a universe without tickers, which would be the whole market',
    { rules: '', universe: { tickers: [] } },
    ['body', 'universe', 'tickers'],
    '1 to 1000 items',
  ],
  [
    'an unknown member of a universe',
    { rules: '', universe: { index: 'LQ45' } },
    ['body', 'universe', 'index'],
    '',
  ],
])('a mistake is named: %s', async (_what, body, loc, says) => {
  for (const path of ['/api/v1/screens', '/api/v1/screens/preview']) {
    const sent = path.endsWith('preview') ? body : { name: 'x', ...body };
    const response = await tenant.rest.post<{ detail: object[] }>(path, sent, ALICE);
    expect([response.status, errorCode(response)], path).toEqual([422, 'invalid_request']);
    const msg = expect.stringContaining(says) as string;
    expect(response.body.detail).toEqual(expect.arrayContaining([expect.objectContaining({ loc, msg })]));
  }
});

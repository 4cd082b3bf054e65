import { expect, test } from 'vitest';
import { ownTenant } from '../support/fleets/contract.ts';
import { errorCode } from '#support/rest/rest.ts';

const tenant = ownTenant();
const RUNS = 'models/confluence_filter/runs';

interface Refusal {
  detail: { loc: (string | number)[]; type: string; input: unknown }[];
}
const fiftyOne = Array.from({ length: 51 }, (_, i) => `T${i}`);

test.each<[string, unknown, (string | number)[], string, unknown]>([
  ['data/stocks/BBCA?days=0', undefined, ['query', 'days'], 'greater_than_equal', '0'],
  ['data/stocks/BBCA?days=many', undefined, ['query', 'days'], 'int_type', 'many'],
  ['data/stocks/BBCA?days=1&days=2', undefined, ['query', 'days'], 'multiple_values', ['1', '2']],
  ['data/flows?min_accum_day_ratio=x', undefined, ['query', 'min_accum_day_ratio'], 'float_type', 'x'],
  ['data/nego?date=8 January', undefined, ['query', 'date'], 'date_parsing', '8 January'],
  ['usage/events?since=20261128', undefined, ['query', 'since'], 'datetime_parsing', '20261128'],
  ['usage/summary?until=20261128', undefined, ['query', 'until'], 'datetime_parsing', '20261128'],
  ['usage/events?since=yesterday', undefined, ['query', 'since'], 'datetime_parsing', 'yesterday'],
  ['usage/events?cursor=none', undefined, ['query', 'cursor'], 'value_error', 'none'],
  ['data/quotes', undefined, ['query', 'tickers'], 'missing', null],
  ['data/quotes?tickers=,%20', undefined, ['query', 'tickers'], 'too_short', ', '],
  [`data/quotes?tickers=${fiftyOne.join()}`, undefined, ['query', 'tickers'], 'too_long', fiftyOne.join()],
  ['data/compare', { tickers: ['BBCA', ' '] }, ['body', 'tickers', 1], 'string_too_short', ' '],
  ['data/compare', { tickers: 'BBCA' }, ['body', 'tickers'], 'list_type', 'BBCA'],
  ['data/turning-points', { tickers: fiftyOne }, ['body', 'tickers'], 'too_long', fiftyOne],
  ['data/compare', '{"tickers":', ['body'], 'json_invalid', '{"tickers":'],
  [RUNS, { params: { lookback: '7' } }, ['body', 'params', 'lookback'], 'int_type', '7'],
  [RUNS, { params: { nothing: [1] } }, ['body', 'params', 'nothing'], 'extra_forbidden', [1]],
])('an error in %s %j reports its location, its type and the input', async (path, body, loc, type, input) => {
  const where = `/api/v1/${path}`;
  const response =
    body === undefined
      ? await tenant.rest.get<Refusal>(where)
      : await tenant.rest.post<Refusal>(where, body, { endUser: 'ani' });
  expect(response.status).toBe(422);
  expect(response.body.detail[0]).toMatchObject({ loc, type, input });
});

test('a parameter name that the answer truncates inside a surrogate pair is refused like any other', async () => {
  const path = '/api/v1/models/confluence_filter/runs';
  for (let length = 37; length <= 41; length++) {
    const params = { [`${'a'.repeat(length)}😀`]: 1 };
    const refused = await tenant.rest.post(path, { params }, { endUser: 'alice' });
    expect([refused.status, errorCode(refused)]).toEqual([422, 'invalid_request']);
  }
  expect((await tenant.rest.post(path, {}, { endUser: 'alice' })).status).toBe(202);
});

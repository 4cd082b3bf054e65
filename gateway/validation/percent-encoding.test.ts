import { expect, test } from 'vitest';
import { codeOf, testGateway } from '../testing/test-gateway.ts';

const own = testGateway();

test.each([
  ['/api/v1/data/quotes?tickers=%zz', 'tickers', '%zz'],
  ['/api/v1/data/quotes?tickers=BBCA%2', 'tickers', 'BBCA%2'],
  ['/api/v1/usage/events?limit=5&end_user=user%FF', 'end_user', 'user\u{fffd}'],
  ['/api/v1/usage/events?cursor=%E0%A4%A', 'cursor', '\u{fffd}%A'],
  ['/api/v1/usage/events?li%6mit=5', 'li%6mit', '5'],
  ['/docs/search?q=%', 'q', '%'],
])('%s is refused with the name of the parameter', async (path, name, input) => {
  const response = await own.request(path, 'all-scopes', { headers: { accept: 'application/json' } });
  expect(codeOf(response)).toBe('422 invalid_request');
  const msg = 'is not valid percent-encoding of UTF-8';
  expect(response.body.detail).toContainEqual({
    loc: ['query', name],
    msg,
    type: 'value_error',
    input,
    ctx: {},
  });
});

test('valid encoding is decoded, also of a percent sign and of text beyond ASCII', async () => {
  const { body } = await own.request('/docs/search?q=100%25+saham+%F0%9F%93%88', 'all-scopes', {
    headers: { accept: 'application/json' },
  });
  expect(body).toMatchObject({ query: '100% saham \u{1f4c8}' });
});

test('a path is refused in the same way', async () => {
  expect(codeOf(await own.request('/api/v1/data/stocks/%E0%A4%A', 'all-scopes'))).toBe('422 invalid_request');
});

import { expect, test } from 'vitest';
import { ERROR_ADVICE } from './error-advice.ts';
import { ERROR_TABLE, type ErrorCode } from '#foundation/errors/error-codes.ts';
import { startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import { codeOf, testGateway } from '../testing/test-gateway.ts';

const own = testGateway();
const CODES = Object.keys(ERROR_TABLE) as ErrorCode[];

async function pageAt(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(own.gateway.baseUrl + path, { headers });
  return {
    response,
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  };
}

test.each(CODES)(
  'the page of %s says its meaning, status, cause and cure, as HTML and as Markdown',
  async (code) => {
    const markdown = await pageAt(`/api/docs/errors/${code}.md`);
    expect([markdown.status, markdown.type]).toEqual([200, 'text/markdown; charset=utf-8']);
    const { cause, cure } = ERROR_ADVICE[code];
    for (const said of [`# ${code}`, ERROR_TABLE[code].meaning, cause, cure])
      expect(markdown.text).toContain(said);
    const html = await pageAt(`/api/docs/errors/${code}`);
    expect([html.status, html.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html.text).toContain(`<h1>${code}</h1>`);
    expect(html.text, 'markup of Markdown').not.toContain('`');
    const placeholders = cure.match(/<\w+>/g) ?? [];
    for (const placeholder of placeholders) expect(html.text).not.toContain(placeholder);
  },
);

test('an error names the page of its code, which needs no key', async () => {
  const { body } = await own.request('/api/v1/models');
  expect(body.error).toMatchObject({ code: 'missing_api_key', docs_url: '/api/docs/errors/missing_api_key' });
  expect((await pageAt('/api/docs/errors/missing_api_key')).status).toBe(200);
});

test('the list of codes leads to every page', async () => {
  const { text } = await pageAt('/api/docs/errors');
  const linked = [...text.matchAll(/href="\/api\/docs\/errors\/(\w+)"/g)].map(([, code]) => code);
  expect(linked).toEqual(CODES);
  expect((await pageAt('/api/docs/errors.md')).text).toContain('](/api/docs/errors/not_found.md)');
});

test.each([
  ['text/markdown', 'text/markdown; charset=utf-8'],
  ['text/markdown;q=0.9, text/html', 'text/html; charset=utf-8'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
  ['*/*', 'text/html; charset=utf-8'],
  ['application/json', 'text/html; charset=utf-8'],
])('who accepts %s gets %s', async (accept, type) => {
  const page = await pageAt('/api/docs/errors/rate_limited', { accept });
  expect([page.type, page.response.headers.get('vary')]).toEqual([type, 'Accept']);
});

test('a page runs no script and loads nothing but its style sheet', async () => {
  const { response, text } = await pageAt('/api/docs/errors/rate_limited');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';style-src 'self'/);
  const [, styleSheet] = /<link rel="stylesheet" href="([^"]+)">/.exec(text)!;
  expect(await pageAt(styleSheet!)).toMatchObject({ status: 200, type: 'text/css; charset=utf-8' });
});

test.each(['nope', 'nope.md', 'constructor', 'not_found.txt', 'NOT_FOUND'])(
  'there is no page of %s',
  async (code) => {
    expect(codeOf(await own.request(`/api/docs/errors/${code}`))).toBe('404 not_found');
  },
);

test('the pages stay when the reference page is off, because errors name them', async () => {
  const plain = await startGatewayUnderTest(own.services.address, undefined, { DOCS: false });
  expect((await fetch(`${plain.baseUrl}/api/docs`)).status).toBe(404);
  expect((await fetch(`${plain.baseUrl}/api/docs/errors/not_found`)).status).toBe(200);
  await plain.stop();
});

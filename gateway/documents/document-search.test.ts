import { expect, test } from 'vitest';
import { codeOf, testGateway } from '../testing/test-gateway.ts';
import type { Hit } from './document-search.ts';

const own = testGateway();

async function searched(words: string): Promise<Hit[]> {
  const { status, body } = await own.request(`/docs/search?q=${encodeURIComponent(words)}`, undefined, {
    headers: { accept: 'application/json' },
  });
  expect(status).toBe(200);
  const { query, count, results } = body as unknown as { query: string; count: number; results: Hit[] };
  expect([query, count]).toEqual([words.trim(), results.length]);
  return results;
}

test.each([
  ['the body has the members of GET /api/v1/events', '/docs/api-decisions#webhooks'],
  ['A screen is a set of rules on fields of stocks', '/docs/screening#screening'],
  ['idx_summary', '/docs/feeds#idx_summary'],
  ['SaringCanaryLost', '/docs/runbook#saringcanarylost'],
])('a search for “%s” finds the section that says so', async (words, url) => {
  const [best] = await searched(words);
  expect(best).toMatchObject({ url, markdown_url: `${url.split('#')[0]}.md` });
  expect(best!.excerpt.length).toBeGreaterThan(20);
});

test('a search forgives a wrong letter and an unfinished word', async () => {
  expect((await searched('signatre'))[0]!.url).toMatch(/^\/docs\/webhooks#/);
  expect((await searched('webho'))[0]!.url).toMatch(/^\/docs\/webhooks/);
});

test('every result leads to a heading of its page', async () => {
  for (const { url } of await searched('dataset')) {
    const [page, fragment] = url.split('#');
    expect(await (await fetch(own.gateway.baseUrl + page!)).text()).toContain(` id="${fragment}"`);
  }
});

test('browsers get a page without scripts, which shows what was searched as text', async () => {
  const words = '"><script>alert(1)</script> rules';
  const response = await fetch(`${own.gateway.baseUrl}/docs/search?q=${encodeURIComponent(words)}`, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await response.text();
  expect(page).not.toContain('<script');
  expect(page).toContain('value="&quot;>&lt;script>alert(1)&lt;/script> rules"');
  expect(page).toMatch(/<h2><a href="\/docs\/[^"]+">/);
});

test('a search that finds nothing says so', async () => {
  expect(await searched('zzzzqqqq')).toEqual([]);
  const page = await fetch(`${own.gateway.baseUrl}/docs/search?q=zzzzqqqq`);
  expect(await page.text()).toContain('No document has these words');
});

test.each(['', '?q=', '?q=%20', `?q=${'a'.repeat(101)}`, '?q=a&q=b', '?words=a'])(
  'a search with %o is refused, and told what is allowed',
  async (query) => {
    const refused = await own.request(`/docs/search${query}`);
    expect(codeOf(refused)).toBe('422 invalid_request');
    expect(refused.body.detail).toMatchObject([{ loc: ['query', 'q'] }]);
    expect(refused.body.error!.message).toContain('1 to 100 characters');
  },
);

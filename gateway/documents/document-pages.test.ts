import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DEPRECATION_POLICY } from '../routing/deprecation.ts';
import { startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import { rawResponse } from '../testing/raw-response.ts';
import { codeOf, testGateway } from '../testing/test-gateway.ts';
import { DOCUMENTS, pathOf, PROJECT } from './documents.ts';
import { Document } from './read-document.ts';

const own = testGateway();
const FILES = DOCUMENTS.flatMap(({ documents }) => documents.map(({ file }) => file));
const PAGES = ['/docs', ...FILES.map((file) => pathOf(file)!)];

async function answerAt(url: string, accept?: string) {
  const response = await fetch(own.gateway.baseUrl + url, { headers: accept ? { accept } : {} });
  const { status, headers } = response;
  return { status, headers, type: headers.get('content-type'), text: await response.text() };
}

test('every document of the project and every page of a client is served', () => {
  const inFolder = (folder: string) => readdirSync(path.join(PROJECT, folder), { recursive: true });
  const documents = inFolder('docs').filter((name) => String(name).endsWith('.md'));
  const readmes = inFolder('clients').filter((name) => path.basename(String(name)) === 'README.md');
  const written = [
    ...documents.map((name) => `docs/${String(name)}`),
    ...readmes.map((name) => `clients/${String(name)}`),
    'CHANGELOG.md',
    // The shared cases are for those who change a client.
  ].filter((file) => !/node_modules|\/dist\/|^clients\/cases\//.test(file));
  expect(FILES.toSorted()).toEqual(written.toSorted());
});

test('the container image holds every document that is served', () => {
  const leftOut = readFileSync(path.join(PROJECT, '.dockerignore'), 'utf8').trim().split('\n');
  const missing = FILES.filter((file) => leftOut.some((folder) => `${file}/`.startsWith(`${folder}/`)));
  expect(missing).toEqual([]);
  expect(leftOut).not.toContain('docs/images');
});

test.each(PAGES)('%s is served as HTML and as Markdown, without a key', async (page) => {
  const html = await answerAt(page);
  expect([html.status, html.type]).toEqual([200, 'text/html; charset=utf-8']);
  const markdown = await answerAt(`${page}.md`);
  expect([markdown.status, markdown.type]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(markdown.text).toMatch(/^# \S/);
  expect(await answerAt(page, 'text/markdown')).toMatchObject({ text: markdown.text });
});

test.each(PAGES)('every link and image of %s leads to a page, and to a heading of it', async (page) => {
  const { text } = await answerAt(page);
  const linked = [...text.matchAll(/ (?:href|src|action)="([^"]+)"/g)].map(([, url]) => url!);
  const ours = linked
    .filter((url) => !/^https?:/.test(url))
    .map((url) => (url.startsWith('#') ? page + url : url));
  const broken: string[] = [];
  for (const url of new Set(ours)) {
    const [target = '', fragment] = url.split('#');
    const answer = await answerAt(target === '/docs/search' ? '/docs/search?q=saring' : target);
    if (!target.startsWith('/') || answer.status !== 200) broken.push(url);
    else if (fragment !== undefined && !answer.text.includes(` id="${fragment}"`)) broken.push(url);
  }
  expect(broken).toEqual([]);
});

test.each(PAGES)('%s has one title, no skipped level of headings, and a language', async (page) => {
  const { text } = await answerAt(page);
  expect(text).toContain('<html lang="en">');
  const levels = [...text.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  const skipped = levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1);
  expect(skipped).toEqual([]);
  for (const [image] of text.matchAll(/<img [^>]*>/g)) expect(image).toMatch(/ alt="[^"]+"/);
});

test('what looks like HTML in a document is shown and not run', () => {
  const html = new Document('# A <b>title</b>\n\n<script>x</script>\n\na <i onclick="x">b</i>\n').toHtml();
  expect(html).not.toMatch(/<(script|b|i)\b/);
  expect(html).toContain('&lt;script>x&lt;/script>');
});

test('the page about deprecation that responses name has its section', async () => {
  const [page, section] = DEPRECATION_POLICY.split('#');
  expect((await answerAt(page!)).text).toContain(`<h2 id="${section}">`);
});

test('links to source files are text', async () => {
  const { text } = await answerAt('/docs/grpc');
  expect(text).toContain('Start from\n<code>deploy/examples/read-market.ts</code>');
});

test('a page may load its own images and send its own search, and nothing else', async () => {
  const policy = (await answerAt('/docs/console')).headers.get('content-security-policy');
  expect(policy).toBe(
    "default-src 'none';style-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';img-src 'self'",
  );
});

test('a reader who has a page is told that it is the same', async () => {
  const first = await answerAt('/docs/operations');
  expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
  const tag = first.headers.get('etag')!;
  expect(tag).toMatch(/^"/);
  const headers = { 'if-none-match': tag, 'cache-control': 'max-age=0' };
  expect((await fetch(`${own.gateway.baseUrl}/docs/operations`, { headers })).status).toBe(304);
  expect((await answerAt('/docs/operations.md')).headers.get('etag')).not.toBe(tag);
});

test.each([
  '/docs/nope',
  '/docs/nope.md',
  '/docs/Screening',
  '/docs/contributing',
  '/docs/readme',
  '/docs/screening.html',
  '/docs/images/nope.png',
  '/docs/images',
  '/docs/constructor',
])('there is no %s', async (url) => {
  expect(codeOf(await own.request(url))).toBe('404 not_found');
});

test.each([
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/docs/..%2fpackage.json',
  '/docs/images/../operations.md',
  '/docs/images/..%2foperations.md',
  '/docs/images/%2e%2e%2f%2e%2e%2fpackage.json',
  '/docs/images/..%5c..%5cpackage.json',
  '/docs//etc/passwd',
])('%s leads to no file', async (url) => {
  // `fetch` would resolve the path before it sends it.
  const { status, bytes } = await rawResponse(own.gateway, url);
  expect(`${status} ${bytes.toString()}`).toMatch(/^404 .*"code":"not_found"/);
});

test('without the setting DOCS there are no documents', async () => {
  const plain = await startGatewayUnderTest(own.services.address, undefined, { DOCS: false });
  for (const url of ['/docs', '/docs/screening', '/docs/screening.md', '/docs/search?q=a'])
    expect(codeOf(await plain.request(url)), url).toBe('404 not_found');
  await plain.stop();
});

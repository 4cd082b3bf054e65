import { expect, test } from 'vitest';
import { MODELS } from '#models/registry.ts';
import { DOCUMENTS, pathOf } from '../documents/documents.ts';
import { routes } from '../routes/index.ts';
import { startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import { testGateway } from '../testing/test-gateway.ts';

const own = testGateway();

async function linksIn(baseUrl: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/llms.txt`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  return [...(await response.text()).matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
}

test('llms.txt needs no key, and neither does any document that it names', async () => {
  const links = await linksIn(own.gateway.baseUrl);
  const documents = DOCUMENTS.flatMap((of) => of.documents).map(({ file }) => `${pathOf(file)}.md`);
  expect(links).toEqual(['/api/openapi.json', '/api/docs', '/api/docs/errors.md', ...documents]);
  for (const link of links) {
    const document = await fetch(own.gateway.baseUrl + link);
    expect(document.status, link).toBe(200);
    await document.arrayBuffer();
  }
});

test('every call that llms.txt names is an endpoint, and every model is named', async () => {
  const text = await (await fetch(`${own.gateway.baseUrl}/llms.txt`)).text();
  const calls = [...text.matchAll(/`([A-Z]+) (\/\S+?)`/g)].map(
    ([, method, path]) => `${method!.toLowerCase()} ${path}`,
  );
  expect(calls.length).toBeGreaterThan(5);
  expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(expect.arrayContaining(calls));
  for (const { id } of MODELS) expect(text).toContain(`\`${id}\``);
});

test('without the reference page and the documents, llms.txt does not name them', async () => {
  const plain = await startGatewayUnderTest(own.services.address, undefined, { DOCS: false });
  expect(await linksIn(plain.baseUrl)).toEqual(['/api/openapi.json', '/api/docs/errors.md']);
  await plain.stop();
});

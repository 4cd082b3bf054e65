import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { ownBrowser } from '../console/browser/chromium.ts';
import { ownTenant, testOfOwnFleet } from '../support/fleets/contract.ts';
import { fleetFileIn } from '../support/fleets/fleet.ts';
import { startSecondGateway, type SecondGateway } from '../support/fleets/second-gateway.ts';

const tenant = ownTenant();
const browser = ownBrowser();
const ownTest = testOfOwnFleet('a gateway with its own settings');

/** Answers everything with an empty page. Under `127.0.0.1` its origin is listed, under `localhost` it is another one. */
const pages = createServer(
  (_req, res) => void res.setHeader('content-type', 'text/html').end('<!doctype html>'),
);
let port: number;
let gateway: SecondGateway | undefined;

beforeAll(async () => {
  if (inject('isDeployment')) return;
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  ({ port } = pages.address() as AddressInfo);
  const fleet = await fleetFileIn(inject('stateDir'));
  gateway = await startSecondGateway(fleet, { CORS_ORIGINS: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  pages.close();
  await gateway?.stop();
});

interface Told {
  status: number;
  location: string | null;
  polled: number;
  events: string | null;
  docs: number;
  refused: { status: number; code: string; requestId: string | null };
}

/** Runs in the page: submits a run, polls it where the answer says, follows it, and provokes a refusal. */
async function useApi({ baseUrl, key }: { baseUrl: string; key: string }): Promise<Told> {
  const headers = { authorization: `Bearer ${key}` };
  const accepted = await fetch(`${baseUrl}/api/v1/models/confluence_filter/runs`, {
    method: 'POST',
    headers: {
      ...headers,
      'x-end-user': 'alice',
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    },
    body: '{}',
  });
  const location = accepted.headers.get('location');
  const polled = await fetch(`${baseUrl}${location}`, { headers });
  const events = await fetch(`${baseUrl}${location}/events`, {
    headers: { ...headers, 'last-event-id': 'none' },
  });
  await events.body!.cancel();
  const refused = await fetch(`${baseUrl}/api/v1/models`, { headers: { 'x-api-key': 'sar_unknown' } });
  const { error } = (await refused.json()) as { error: { code: string; docs_url: string } };
  const docs = await fetch(baseUrl + error.docs_url, { headers: { accept: 'text/markdown' } });
  return {
    status: accepted.status,
    location,
    polled: polled.status,
    events: events.headers.get('content-type'),
    docs: docs.status,
    refused: { status: refused.status, code: error.code, requestId: refused.headers.get('x-request-id') },
  };
}

async function openedAt(host: string) {
  const page = await browser.current.newPage();
  await page.goto(`http://${host}:${port}/`);
  return page;
}

ownTest('in a browser, a page of a listed origin submits a run, follows it and reads refusals', async () => {
  const page = await openedAt('127.0.0.1');
  expect(await page.evaluate(useApi, { baseUrl: gateway!.baseUrl, key: tenant.key })).toEqual({
    status: 202,
    location: expect.stringMatching(/^\/api\/v1\/jobs\/job_[0-9a-f]+$/) as string,
    polled: 200,
    events: 'text/event-stream; charset=utf-8',
    docs: 200,
    refused: { status: 401, code: 'invalid_api_key', requestId: expect.stringMatching(/^req_/) as string },
  });
  await page.close();
});

ownTest('in a browser, a page of any other origin can neither send a key nor read a response', async () => {
  const page = await openedAt('localhost');
  await expect(page.evaluate(useApi, { baseUrl: gateway!.baseUrl, key: tenant.key })).rejects.toThrow(
    'Failed to fetch',
  );
  const readable = await page.evaluate(
    (url) => fetch(url).then(() => true, () => false), // prettier-ignore
    `${gateway!.baseUrl}/api/health`,
  );
  expect(readable).toBe(false);
  await page.close();
});

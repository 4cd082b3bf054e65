import { expect, inject, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { newTenant, ownTenant, type Tenant } from '#support/fleets/contract.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';

const tenant = ownTenant();
const ENDPOINT = '/api/v1/sessions';

/** A browser with one cookie, which sends what browsers send. */
class Browser {
  cookie: string | undefined;
  csrf = '';
  id = '';

  async send(path: string, init: RequestInit = {}, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, inject('baseUrl')), {
      ...init,
      headers: {
        'user-agent': 'a browser of the tests',
        'sec-fetch-site': 'same-origin',
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...(this.cookie !== undefined && { cookie: this.cookie }),
        ...headers,
      },
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.split(';')[0]!;
    const body = (await response.json()) as Record<string, unknown> & { error?: { code: string } };
    return { status: response.status, body, set, code: body.error?.code };
  }

  async signIn(key: string, body: object = {}): Promise<string> {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const { body: started, set } = await this.send(ENDPOINT, init, { authorization: `Bearer ${key}` });
    const { session, csrf_token } = started as unknown as Schemas['StartedSession'];
    [this.id, this.csrf] = [session.session_id, csrf_token];
    return set!;
  }

  /** The code of the refusal of a change, or its status. */
  async change(headers: Record<string, string> = { 'x-csrf-token': this.csrf }) {
    const body = JSON.stringify({ name: 'mine', tickers: ['AAAA'] });
    const { status, code } = await this.send(
      '/api/v1/watchlists',
      { method: 'POST', body },
      { 'x-end-user': 'u', ...headers },
    );
    return code ?? status;
  }

  async read(headers?: Record<string, string>) {
    const { status, code } = await this.send('/api/v1/scopes', {}, headers);
    return code ?? status;
  }
}

async function signedIn(who: Pick<Tenant, 'key'> = tenant): Promise<Browser> {
  const browser = new Browser();
  await browser.signIn(who.key);
  return browser;
}

test('a browser that is signed in reads without a key, and changes with the token of its session', async () => {
  const browser = await signedIn();
  expect([await browser.read(), await browser.change()]).toEqual([200, 201]);
});

test('the secret is in a cookie that no script can read and no other site can have sent', async () => {
  const set = await new Browser().signIn(tenant.key);
  expect(set).toMatch(/^saring_session=sas_\w+; /);
  for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/api/v1', 'Max-Age=2592000'])
    expect(set).toContain(attribute);
  expect(set).not.toContain('Secure');
  const { body, set: behindTls } = await new Browser().send(
    ENDPOINT,
    { method: 'POST', body: '{"keep": false}' },
    { authorization: `Bearer ${tenant.key}`, 'x-forwarded-proto': 'https' },
  );
  expect(behindTls).toContain('Secure');
  expect(behindTls).not.toContain('Max-Age');
  expect(JSON.stringify(body)).not.toContain('sas_');
});

test('a page that is opened again finds its session and its token', async () => {
  const browser = await signedIn();
  const { body } = await browser.send(ENDPOINT);
  expect(body['current']).toMatchObject({
    session: { session_id: browser.id, browser: 'a browser of the tests' },
    csrf_token: browser.csrf,
  });
  const byKey = await browser.send(ENDPOINT, {}, { authorization: `Bearer ${tenant.key}` });
  expect(byKey.body['current']).toBeNull();
});

test('a change without the token of the very session is refused', async () => {
  const [browser, other] = [await signedIn(), await signedIn()];
  for (const headers of [{}, { 'x-csrf-token': '' }, { 'x-csrf-token': other.csrf }])
    expect(await browser.change(headers as Record<string, string>)).toBe('csrf_token_required');
});

test.each(['cross-site', 'same-site', 'none'])('a request that is %s is not signed in', async (site) => {
  const browser = await signedIn();
  expect(await browser.read({ 'sec-fetch-site': site })).toBe('missing_api_key');
  expect(await browser.change({ 'sec-fetch-site': site, 'x-csrf-token': browser.csrf })).toBe(
    'missing_api_key',
  );
});

test('a key that is sent counts, whatever cookie comes with it', async () => {
  const browser = await signedIn();
  const authorization = 'Bearer sar_unknown';
  expect(await browser.read({ authorization })).toBe('invalid_api_key');
  expect(await browser.change({ authorization: `Bearer ${tenant.key}` })).toBe(201);
});

test('signing in gives a new secret, also to a browser that came with one', async () => {
  const browser = new Browser();
  browser.cookie = 'saring_session=chosen-by-somebody-else';
  await browser.signIn(tenant.key);
  const first = browser.cookie;
  await browser.signIn(tenant.key);
  expect(new Set(['saring_session=chosen-by-somebody-else', first, browser.cookie]).size).toBe(3);
});

test('a session starts no other session', async () => {
  const browser = await signedIn();
  const init = { method: 'POST', body: '{}' };
  const { code } = await browser.send(ENDPOINT, init, { 'x-csrf-token': browser.csrf });
  expect(code).toBe('missing_api_key');
});

test('signing out ends the session and removes its cookie, and a copy of it is worthless', async () => {
  const browser = await signedIn();
  const thief = new Browser();
  thief.cookie = browser.cookie;
  expect(await thief.read()).toBe(200);
  const init = { method: 'DELETE' };
  const { status, set } = await browser.send(`${ENDPOINT}/${browser.id}`, init, {
    'x-csrf-token': browser.csrf,
  });
  expect([status, set]).toEqual([200, expect.stringContaining('saring_session=; Max-Age=0')]);
  await expect.poll(() => thief.read()).toBe('invalid_api_key');
});

test('every browser of a key is listed, and another browser or the key can sign it out', async () => {
  const own = await newTenant();
  const [one, two, three] = [await signedIn(own), await signedIn(own), await signedIn(own)];
  const { sessions } = await own.client.sessions.list();
  expect(new Set(sessions.map(({ session_id }) => session_id))).toEqual(new Set([one.id, two.id, three.id]));
  const byBrowser = await two.send(
    `${ENDPOINT}/${one.id}`,
    { method: 'DELETE' },
    { 'x-csrf-token': two.csrf },
  );
  expect([byBrowser.status, byBrowser.set]).toEqual([200, undefined]);
  await own.client.sessions.end(three.id);
  await expect.poll(() => one.read()).toBe('invalid_api_key');
  await expect.poll(() => three.read()).toBe('invalid_api_key');
  expect(await two.read()).toBe(200);
});

test('the requests of a session count against the limit of its key', async () => {
  const { id: _, key } = await issueKey(inject('stateDir'), 'data:read', 5);
  const browser = await signedIn({ key });
  const answers = [];
  for (let request = 0; request < 6; request++) answers.push(await browser.read());
  expect(answers).toEqual([200, 200, 200, 200, 'rate_limited', 'rate_limited']);
});

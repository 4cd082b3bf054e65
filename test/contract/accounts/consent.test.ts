import { describe, expect, test } from 'vitest';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { errorCode, type Rest, type RestResponse } from '#support/fleets/rest.ts';

/** Any enabled key may use these endpoints, whatever its scopes. */
const tenant = ownTenant('models:read');
const PATH = '/api/v1/consent';
const DOCUMENT = `${PATH}/documents/fair_disclaimer`;

interface Check {
  end_user: string;
  document_id: string;
  required_version: string;
  accepted: boolean;
  accepted_version: string | null;
  accepted_at: string | null;
}
interface ConsentRecord {
  consent_id: string;
  ts: number;
}
interface ConsentDocument {
  version: string;
  locale: string;
  locales: string[];
  title: string;
  text: string;
}
interface Refusal {
  error: { message: string };
  detail?: { loc: unknown[] }[];
}

let users = 0;
const newUser = () => `consent-user-${++users}`;
const check = (endUser: string, rest: Rest = tenant.rest) => rest.get<Check>(PATH, { endUser });
const requiredVersion = async () => (await check('anybody')).body.required_version;
const accept = (endUser: string, body: object, key?: string) =>
  tenant.rest.post<ConsentRecord>(PATH, body, {
    endUser,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const outcomeOf = (response: RestResponse<object>) =>
  `${response.status} ${errorCode(response as RestResponse) ?? 'ok'}`;

describe('checking consent', () => {
  test('reports only the required version for an end user who never accepted', async () => {
    const { status, body } = await check('newcomer');
    expect(status).toBe(200);
    expect(body).toEqual({
      end_user: 'newcomer',
      document_id: 'fair_disclaimer',
      accepted: false,
      required_version: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      accepted_version: null,
      accepted_at: null,
    });
  });

  test('reports when the required version was accepted, in Jakarta time', async () => {
    const user = newUser();
    const document_version = await requiredVersion();
    const { body: recorded } = await accept(user, { document_version });
    const { body } = await check(user);
    expect(body).toMatchObject({
      accepted: true,
      required_version: document_version,
      accepted_version: document_version,
      accepted_at: expect.stringMatching(/T.*\+07:00$/) as string,
    });
    expect(Date.parse(body.accepted_at!) / 1_000).toBeCloseTo(recorded.ts, 3);
  });

  test('does not apply an acceptance under one API key to the same end user of another', async () => {
    const user = newUser();
    await accept(user, { document_version: await requiredVersion() });
    const other = await newTenant('data:read');
    expect((await check(user, other.rest)).body).toMatchObject({ accepted: false, accepted_version: null });
    expect((await check(user)).body.accepted).toBe(true);
  });

  test.each([
    ['?document_id=unknown', '404 not_found'],
    ['?document_id=__proto__', '404 not_found'],
    ['?document_id=', '422 invalid_request'],
    ['?document=fair_disclaimer', '422 invalid_request'],
    ['?document_id=fair_disclaimer', '200 ok'],
  ])('with %s answers %s', async (query, expected) => {
    expect(outcomeOf(await tenant.rest.get(PATH + query, { endUser: 'alice' }))).toBe(expected);
  });
});

describe('recording consent', () => {
  test('answers 201 with the record', async () => {
    const document_version = await requiredVersion();
    const before = Date.now() / 1_000;
    const response = await accept('recorder', {
      document_id: 'fair_disclaimer',
      document_version,
      accepted: true,
      locale: 'id',
      client_version: '2.4.1',
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      consent_id: expect.stringMatching(/^cs_[0-9a-f]+$/) as string,
      ts: expect.any(Number) as number,
      end_user: 'recorder',
      document_id: 'fair_disclaimer',
      document_version,
      accepted: true,
    });
    expect(response.body.ts).toBeGreaterThanOrEqual(before - 0.001);
    expect(response.body.ts).toBeLessThan(Date.now() / 1_000 + 0.001);
    expect(response.headers.has('idempotent-replayed')).toBe(false);
  });

  test('needs only the version, stores null for omitted fields, and adds a record each time', async () => {
    const document_version = await requiredVersion();
    const bodies = [{}, { locale: null, client_version: null }, {}];
    const responses = [];
    for (const body of bodies) responses.push(await accept('repeater', { document_version, ...body }));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(responses.map(({ body }) => body.consent_id)).size).toBe(3);
    const last = responses.at(-1)!.body.ts;
    expect(Date.parse((await check('repeater')).body.accepted_at!) / 1_000).toBeCloseTo(last, 3);
  });

  test.each<[string, object | string, string]>([
    ['accepted false', { accepted: false }, '422 consent_not_accepted'],
    [
      'accepted false of an unknown document',
      { accepted: false, document_id: 'x' },
      '422 consent_not_accepted',
    ],
    [
      'accepted false of an old version',
      { accepted: false, document_version: 'x' },
      '422 consent_not_accepted',
    ],
    ['accepted as text', { accepted: 'true' }, '422 invalid_request'],
    ['accepted as a number', { accepted: 1 }, '422 invalid_request'],
    ['accepted as null', { accepted: null }, '422 invalid_request'],
    ['an unknown document', { document_id: 'x' }, '404 not_found'],
    ['an unknown document in an old version', { document_id: 'x', document_version: 'x' }, '404 not_found'],
    ['an old version', { document_version: 'x' }, '409 stale_document_version'],
    ['no version', { document_version: undefined }, '422 invalid_request'],
    [
      'no version and accepted false',
      { document_version: undefined, accepted: false },
      '422 invalid_request',
    ],
    ['a version that is no text', { document_version: 1 }, '422 invalid_request'],
    ['a document that is no text', { document_id: 1 }, '422 invalid_request'],
    ['a language that is no text', { locale: 1 }, '422 invalid_request'],
    ['a language of 36 characters', { locale: 'x'.repeat(36) }, '422 invalid_request'],
    ['a client version of 65 characters', { client_version: 'x'.repeat(65) }, '422 invalid_request'],
    ['a field that is not known', { version: 'x' }, '422 invalid_request'],
    ['no object', '[]', '422 invalid_request'],
    ['nothing', '', '422 invalid_request'],
  ])('with %s is refused and records nothing', async (_name, change, expected) => {
    const user = newUser();
    const right = { document_version: await requiredVersion() };
    const body = typeof change === 'string' ? change : { ...right, ...change };
    const response = await tenant.rest.post(PATH, body, { endUser: user });
    expect(outcomeOf(response)).toBe(expected);
    expect((await check(user)).body).toMatchObject({ accepted: false, accepted_version: null });
  });

  test('with an outdated version names the required one', async () => {
    const { body } = await tenant.rest.post<Refusal>(PATH, { document_version: 'v0' }, { endUser: 'late' });
    expect(body.error.message).toContain(await requiredVersion());
  });
});

describe('an end user', () => {
  test.each([
    [undefined, '422 missing_end_user'],
    ['', '422 missing_end_user'],
    ['a@b', '400 invalid_end_user'],
    ['a b', '400 invalid_end_user'],
    ['x'.repeat(65), '400 invalid_end_user'],
    ['.', '400 invalid_end_user'],
    ['..', '400 invalid_end_user'],
    ['x'.repeat(64), '200 ok'],
    ['A-z_0.9', '200 ok'],
  ])('%s is answered %s by both calls, before any other check', async (endUser, expected) => {
    const asserted = endUser === undefined ? {} : { endUser };
    expect(outcomeOf(await tenant.rest.get(PATH, asserted))).toBe(expected);
    const written = await tenant.rest.post(PATH, { accepted: false }, asserted);
    expect(outcomeOf(written)).toBe(expected === '200 ok' ? '422 invalid_request' : expected);
  });
});

describe('an idempotency key', () => {
  test('repeated with the same request replays the first record and marks the replay', async () => {
    const [user, body] = [newUser(), { document_version: await requiredVersion(), locale: 'id' }];
    const first = await accept(user, body, 'order 1');
    const again = await accept(user, { ...body, client_version: null, accepted: true }, 'order 1');
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });

  test('reused for another request is 409 idempotency_conflict, but is new under another API key', async () => {
    const body = { document_version: await requiredVersion() };
    await accept(newUser(), body, 'order 2');
    expect(outcomeOf(await accept(newUser(), body, 'order 2'))).toBe('409 idempotency_conflict');
    const other = await newTenant('data:read');
    const headers = { 'idempotency-key': 'order 2' };
    const elsewhere = await other.rest.post(PATH, body, { endUser: 'alice', headers });
    expect(outcomeOf(elsewhere)).toBe('201 ok');
  });

  test('is not used up by a refusal', async () => {
    const [user, document_version] = [newUser(), await requiredVersion()];
    for (const wrong of [{ document_version, accepted: false }, { document_version: 'v0' }]) {
      expect((await accept(user, wrong, 'order 3')).status).toBeGreaterThanOrEqual(400);
    }
    const accepted = await accept(user, { document_version }, 'order 3');
    expect([outcomeOf(accepted), accepted.headers.has('idempotent-replayed')]).toEqual(['201 ok', false]);
  });

  test.each(['', 'x'.repeat(256), 'caf\u00e9'])('%j is refused, naming the header', async (key) => {
    const refused = await accept(newUser(), { document_version: await requiredVersion() }, key);
    expect(outcomeOf(refused)).toBe('422 invalid_request');
    expect((refused.body as unknown as Refusal).detail![0]!.loc).toEqual(['header', 'Idempotency-Key']);
  });
});

describe('the consent document', () => {
  test('comes in Indonesian unless English is requested, both under the required version', async () => {
    const [id, en] = await Promise.all(
      ['', '?locale=en'].map((query) => tenant.rest.get<ConsentDocument>(DOCUMENT + query)),
    );
    const version = await requiredVersion();
    const shared = { document_id: 'fair_disclaimer', version, locales: ['id', 'en'] };
    expect(id!.body).toMatchObject({ ...shared, locale: 'id', title: 'Pernyataan Penafian' });
    expect(en!.body).toMatchObject({ ...shared, locale: 'en', title: 'Disclaimer' });
    for (const { body } of [id!, en!]) {
      const words = body.text.split(/\s+/).length;
      expect(words).toBeGreaterThan(250);
      expect(words).toBeLessThan(500);
    }
  });

  test.each([
    ['en-GB,en;q=0.9,id;q=0.5', '', 'en'],
    ['id-ID,en;q=0.8', '', 'id'],
    ['fr', '', 'id'],
    ['en', '?locale=id', 'id'],
  ])('for Accept-Language %s and the query "%s" comes in %s', async (preferred, query, locale) => {
    const { headers, body } = await tenant.rest.get<ConsentDocument>(DOCUMENT + query, {
      headers: { 'accept-language': preferred },
    });
    expect([body.locale, headers.get('content-language')]).toEqual([locale, locale]);
    expect(headers.get('vary')).toBe('Accept-Encoding, Accept-Language');
  });

  test.each([
    ['/unknown', '404 not_found', 'fair_disclaimer'],
    ['/fair_disclaimer?locale=fr', '404 not_found', 'id, en'],
    ['/fair_disclaimer?locale=..%2Fen', '404 not_found', 'id, en'],
    ['/..%2F..%2Fconfig.ts', '404 not_found', 'fair_disclaimer'],
    ['/%00', '404 not_found', ''],
    ['/fair_disclaimer?locale=', '422 invalid_request', 'locale'],
    ['/fair_disclaimer?language=en', '422 invalid_request', 'locale'],
  ])('%s is answered %s with a message that contains %s', async (path, expected, said) => {
    const response = await tenant.rest.get<Refusal>(`${PATH}/documents${path}`);
    expect(outcomeOf(response)).toBe(expected);
    expect(response.body.error.message).toContain(said);
  });
});

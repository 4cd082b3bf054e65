import { describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { errorCode, type Rest, type RestResponse } from '#support/rest/rest.ts';

/** Any enabled key may use these endpoints, whatever its scopes. */
const tenant = ownTenant('models:read');
const PATH = '/api/v1/consent';
const DOCUMENT = `${PATH}/documents/fair_disclaimer`;

interface Refusal {
  error: { message: string };
  detail?: { loc: unknown[] }[];
}

let users = 0;
const newUser = () => `consent-user-${++users}`;
const check = (endUser: string, rest: Rest = tenant.rest) =>
  rest.get<Schemas['ConsentCheck']>(PATH, { endUser });
const requiredVersion = async () => (await check('anybody')).body.required_version;
const accept = (endUser: string, body: object) =>
  tenant.rest.post<Schemas['ConsentRecord']>(PATH, body, { endUser });
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

  test.each([
    ['?document_id=unknown', '404 not_found'],
    ['?document_id=__proto__', '404 not_found'],
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

  test.each<[string, object, string]>([
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
    ['an unknown document', { document_id: 'x' }, '404 not_found'],
    ['an unknown document in an old version', { document_id: 'x', document_version: 'x' }, '404 not_found'],
    ['an old version', { document_version: 'x' }, '409 stale_document_version'],
    [
      'no version and accepted false',
      { document_version: undefined, accepted: false },
      '422 invalid_request',
    ],
  ])('with %s is refused and records nothing', async (_name, change, expected) => {
    const user = newUser();
    const body = { document_version: await requiredVersion(), ...change };
    const response = await tenant.rest.post(PATH, body, { endUser: user });
    expect(outcomeOf(response)).toBe(expected);
    expect((await check(user)).body).toMatchObject({ accepted: false, accepted_version: null });
  });

  test('with an outdated version names the required one', async () => {
    const { body } = await tenant.rest.post<Refusal>(PATH, { document_version: 'v0' }, { endUser: 'late' });
    expect(body.error.message).toContain(await requiredVersion());
  });
});

describe('the consent document', () => {
  test('comes in Indonesian unless English is requested, both under the required version', async () => {
    const [id, en] = await Promise.all(
      ['', '?locale=en'].map((query) => tenant.rest.get<Schemas['ConsentDocument']>(DOCUMENT + query)),
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
    const { headers, body } = await tenant.rest.get<Schemas['ConsentDocument']>(DOCUMENT + query, {
      headers: { 'accept-language': preferred },
    });
    expect([body.locale, headers.get('content-language')]).toEqual([locale, locale]);
    expect(headers.get('vary')).toBe('Accept-Encoding, Accept-Language');
  });
});

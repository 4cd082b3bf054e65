import pg from 'pg';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownServers } from '#support/servers/servers.ts';
import {
  identityOf,
  keysClient,
  OPERATOR_TOKEN,
  startService,
  type ServiceProcess,
} from '#support/processes/service-process.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const servers = ownServers();
const operator = { requestId: 'req_test', operatorToken: OPERATOR_TOKEN, actor: 'tester' };
const anybody = { requestId: 'req_test' };
let service: ServiceProcess;
let keys: ReturnType<typeof keysClient>;

beforeAll(async () => {
  service = await startService('keys', {
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    KEY_PEPPER: 'pepper-of-this-test-file',
    LOG_LEVEL: 'debug',
  });
  keys = keysClient(service.address, identityOf('gateway'));
});
afterAll(async () => {
  keys.close();
  expect(await service.kill()).toBe(0);
});

const wishFor = (name: string) => ({
  name,
  scopes: ['models:read', 'data:read'],
  rate_limit_per_minute: undefined,
  expires_at: undefined,
  labels: {},
});
const create = (name: string) => keys.createKey(wishFor(name), operator);
const NO_CHANGE = {
  name: undefined,
  rate_limit_per_minute: undefined,
  expires_at: undefined,
  never_expires: false,
  labels: {},
  scopes: [],
};
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

test('a test key says so in its id and its secret, also after it was rotated', async () => {
  const { api_key, secret } = await keys.createKey({ ...wishFor('of tests'), test: true }, operator);
  expect(api_key).toMatchObject({
    id: expect.stringMatching(/^key_test_[0-9a-f]{24}$/) as string,
    test: true,
  });
  const rotated = await keys.rotateKey({ id: api_key!.id, grace_seconds: 0 }, operator);
  for (const text of [secret, rotated.secret, rotated.api_key!.hint]) expect(text).toMatch(/^sar_test_/);
  expect((await keys.authenticate({ secret: rotated.secret }, anybody)).api_key).toEqual(rotated.api_key);
  expect((await create('of applications')).api_key).toMatchObject({ test: false });
});

test('secrets appear only in the first answer: not in lists, tables or the log', async () => {
  const { api_key, secret } = await create('secretive');
  const rotated = await keys.rotateKey({ id: api_key!.id, grace_seconds: 60 }, operator);
  const client = new pg.Client(servers.databaseUrl);
  await client.connect();
  const stored = [];
  for (const table of ['api_key', 'key_secret', 'key_action'])
    stored.push(await client.query(`SELECT * FROM keys.${table}`));
  await client.end();
  const texts = [
    JSON.stringify(await keys.listKeys({}, operator)),
    JSON.stringify(await keys.listKeyActions({ key_id: undefined, limit: 1_000 }, operator)),
    ...stored.map(({ rows }) => JSON.stringify(rows)),
    service.output(),
  ];
  for (const text of texts) {
    expect(text.length).toBeGreaterThan(2);
    for (const each of [secret, rotated.secret]) expect(text).not.toContain(each);
  }
});

test('an update changes only the given fields, and authentication returns the new limit', async () => {
  const until = inDays(90);
  const request = { ...wishFor('before'), labels: { team: 'mobile', stage: 'trial' }, expires_at: until };
  const { api_key, secret } = await keys.createKey(request, operator);
  const change = { name: 'after', rate_limit_per_minute: 7, labels: { stage: '', tier: 'gold' } };
  const updated = await keys.updateKey({ ...NO_CHANGE, id: api_key!.id, ...change }, operator);
  const labels = { team: 'mobile', tier: 'gold' };
  expect(updated.api_key).toEqual({ ...api_key, ...change, labels });
  expect((await keys.authenticate({ secret }, anybody)).api_key).toMatchObject({ rate_limit_per_minute: 7 });
  const scopes = ['usage:read', 'models:read'];
  const rescoped = await keys.updateKey({ ...NO_CHANGE, id: api_key!.id, scopes }, operator);
  expect(rescoped.api_key).toMatchObject({ name: 'after', labels, scopes: ['models:read', 'usage:read'] });
  const { actions } = await keys.listKeyActions({ key_id: api_key!.id, limit: 1 }, operator);
  expect(actions[0]).toMatchObject({ action: 'updated', changes: { scopes: ['models:read', 'usage:read'] } });
  const endless = await keys.updateKey({ ...NO_CHANGE, id: api_key!.id, never_expires: true }, operator);
  expect(endless.api_key).toMatchObject({ name: 'after', labels, expires_at: undefined });
});

test('every change of a key is audited with actor and result, even after its deletion', async () => {
  const { api_key } = await create('audited');
  const { id } = api_key!;
  const call = { ...operator, requestId: 'req_of_the_change', actor: 'Än\u202ene\n' };
  await keys.updateKey({ ...NO_CHANGE, id, labels: { team: 'web' } }, call);
  await keys.disableKey({ id }, call);
  await keys.deleteKey({ id }, { ...call, actor: undefined });
  await expect(keys.disableKey({ id }, call)).rejects.toMatchObject({ code: 'not_found' });
  const { actions } = await keys.listKeyActions({ key_id: id, limit: 10 }, operator);
  const by = { key_id: id, actor: 'Änne', request_id: 'req_of_the_change' };
  expect(actions.map(({ ts: _, ...action }) => action)).toEqual([
    { ...by, actor: '', action: 'deleted', changes: { deleted: true } },
    { ...by, action: 'disabled', changes: { disabled: true } },
    { ...by, action: 'updated', changes: { labels: { team: 'web' } } },
    {
      key_id: id,
      actor: 'tester',
      request_id: 'req_test',
      action: 'created',
      changes: {
        name: 'audited',
        scopes: ['models:read', 'data:read'],
        rate_limit_per_minute: 60,
        expires_at: null,
        labels: {},
      },
    },
  ]);
  expect((await keys.listKeyActions({ key_id: undefined, limit: 1 }, operator)).actions).toEqual([
    actions[0],
  ]);
});

test('every change is announced with the id of the key', async () => {
  const { host, username, password } = new URL(servers.natsUrl);
  const nats = await connect({ servers: host, user: username, pass: password });
  const heard: string[] = [];
  nats.subscribe('changed.key', { callback: (_, message) => void heard.push(message.string()) });
  await nats.flush();
  const { api_key } = await create('announced');
  const { id } = api_key!;
  await keys.updateKey({ ...NO_CHANGE, id, rate_limit_per_minute: 5 }, operator);
  await keys.rotateKey({ id, grace_seconds: 0 }, operator);
  await keys.disableKey({ id }, operator);
  await keys.enableKey({ id }, operator);
  await keys.deleteKey({ id }, operator);
  await expect.poll(() => heard).toEqual([id, id, id, id, id]);
  await nats.close();
});

describe('invalid input is refused, naming every wrong field:', () => {
  const manyLabels = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`label-${i}`, 'x']));

  test('a new key', async () => {
    const wrong = { name: ' ', scopes: ['models:read', 'admin'], rate_limit_per_minute: 0 };
    await expect(keys.createKey({ ...wishFor('x'), ...wrong }, operator)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: [{ loc: ['name'] }, { loc: ['scopes', 1], input: 'admin' }, { loc: ['rate_limit_per_minute'] }],
    });
    const late = {
      expires_at: new Date(Date.now() - 1_000),
      labels: { ['n'.repeat(65)]: 'x', empty: '' },
    };
    await expect(keys.createKey({ ...wishFor('x'), ...late }, operator)).rejects.toMatchObject({
      detail: [{ loc: ['expires_at'] }, { loc: ['labels', 'n'.repeat(65)] }, { loc: ['labels', 'empty'] }],
    });
    await expect(keys.createKey({ ...wishFor('x'), labels: manyLabels }, operator)).rejects.toMatchObject({
      detail: [{ loc: ['labels'] }],
    });
  });

  test.each([
    ['that asks for nothing', {}, ['request']],
    ['to an end in the past', { expires_at: new Date(0) }, ['expires_at']],
    ['to an end and to none', { expires_at: inDays(1), never_expires: true }, ['never_expires']],
    ['to a label that is too long', { labels: { a: 'x'.repeat(65) } }, ['labels', 'a']],
    ['to a label with a direction mark', { labels: { a: 'x\u202e' } }, ['labels', 'a']],
    ['to a label that objects lose', { labels: { ['__proto__']: 'x' } }, ['labels', '__proto__']],
    ['to too many labels', { labels: manyLabels }, ['labels']],
  ])('an update %s', async (_, change, loc) => {
    const { api_key } = await create('stays');
    const { id } = api_key!;
    const refused = keys.updateKey({ ...NO_CHANGE, id, ...change }, operator);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', detail: [{ loc }] });
    expect((await keys.getKey({ id }, operator)).api_key).toEqual(api_key);
    expect((await keys.listKeyActions({ key_id: id, limit: 10 }, operator)).actions).toHaveLength(1);
  });
});

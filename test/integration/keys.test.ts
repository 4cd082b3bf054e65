import pg from 'pg';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownServers } from '#support/servers.ts';
import { keysClient, OPERATOR_TOKEN, startService, type ServiceProcess } from '#support/service-process.ts';

const servers = ownServers();
const operator = { requestId: 'req_test', operatorToken: OPERATOR_TOKEN };
const anybody = { requestId: 'req_test' };
let service: ServiceProcess;
let keys: ReturnType<typeof keysClient>;

beforeAll(async () => {
  service = await startService('keys', {
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    KEY_PEPPER: 'pepper-of-this-test-file',
  });
  keys = keysClient(service.address);
});
afterAll(async () => {
  keys.close();
  expect(await service.kill()).toBe(0);
});

const create = (name: string) => keys.createKey({ name, scopes: ['models:read', 'data:read'] }, operator);

test('a new key authenticates, with its scopes and the default limit', async () => {
  const { api_key, secret } = await create('fresh');
  const answer = await keys.authenticate({ secret }, anybody);
  expect(answer.api_key).toEqual(api_key);
  expect(api_key).toMatchObject({
    scopes: ['models:read', 'data:read'],
    rate_limit_per_minute: 60,
    disabled: false,
  });
});

test('the secret is in the first answer and nowhere else: not in the list, the table or the log', async () => {
  const { secret } = await create('secretive');
  expect(JSON.stringify(await keys.listKeys({}, operator))).not.toContain(secret);
  const client = new pg.Client(servers.databaseUrl);
  await client.connect();
  const { rows } = await client.query('SELECT * FROM keys.api_key');
  await client.end();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(service.output()).not.toContain(secret);
});

test('a disabled key says so, an enabled one works again, a deleted one is unknown', async () => {
  const { api_key, secret } = await create('switched');
  const { id } = api_key!;
  await keys.disableKey({ id }, operator);
  expect((await keys.authenticate({ secret }, anybody)).api_key!.disabled).toBe(true);
  await keys.enableKey({ id }, operator);
  expect((await keys.authenticate({ secret }, anybody)).api_key!.disabled).toBe(false);
  await keys.deleteKey({ id }, operator);
  await expect(keys.authenticate({ secret }, anybody)).rejects.toMatchObject({ code: 'invalid_api_key' });
  await expect(keys.enableKey({ id }, operator)).rejects.toMatchObject({ code: 'not_found' });
});

test('every change is announced with the key’s id', async () => {
  const { host, username, password } = new URL(servers.natsUrl);
  const nats = await connect({ servers: host, user: username, pass: password });
  const heard: string[] = [];
  nats.subscribe('changed.key', { callback: (_, message) => void heard.push(message.string()) });
  await nats.flush();
  const { api_key } = await create('announced');
  await keys.disableKey({ id: api_key!.id }, operator);
  await keys.deleteKey({ id: api_key!.id }, operator);
  await expect.poll(() => heard, { timeout: 2_000 }).toEqual([api_key!.id, api_key!.id]);
  await nats.close();
});

test('a wrong key wish names every wrong field', async () => {
  const wish = { name: ' ', scopes: ['models:read', 'admin'], rate_limit_per_minute: 0 };
  await expect(keys.createKey(wish, operator)).rejects.toMatchObject({
    code: 'invalid_request',
    detail: [{ loc: ['name'] }, { loc: ['scopes'], input: 'admin' }, { loc: ['rate_limit_per_minute'] }],
  });
});

test('a missing setting ends the start with one sentence that names it', async () => {
  const start = startService('keys', { DATABASE_URL: servers.databaseUrl, NATS_URL: 'http://wrong' });
  await expect(start).rejects.toThrow(/NATS_URL must be a nats:\/\/.*\n.*KEY_PEPPER is not set/);
  await expect(start).rejects.not.toThrow(/\n\s+at /);
});

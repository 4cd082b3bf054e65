import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, writeFleetFile } from '#support/fleets/cli-surroundings.ts';
import { AS_OLD_NODE, LAUNCHER, runCli, startCli, type CliSurroundings } from '#support/fleets/saring-cli.ts';
import type { CliResponse } from '#support/fleets/saring-cli.ts';
import { OPERATOR_TOKEN } from '#support/processes/service-process.ts';
import { NOWHERE, OperatedKeys, type NewKey } from './operated-keys.ts';

const operated = new OperatedKeys();
const { cli, create, json } = operated;

/** Expects one sentence on standard error, no stack, and nothing on standard output. */
function expectFailure(response: CliResponse, code: number, sentence: RegExp): void {
  expect(response).toMatchObject({ code, stdout: '' });
  expect(response.stderr).toMatch(sentence);
  expect(response.stderr.trim().split('\n')).toHaveLength(1);
  expect(response.stderr).not.toMatch(/\bat .+:\d+/);
}

test('keys create --json prints exactly the fields that scripts read', async () => {
  const words = ['--name', 'shop', '--scopes', 'data:read, models:read', '--rate-limit', '90'];
  const created = await json<NewKey>('keys', 'create', ...words);
  expect(created).toEqual({
    id: expect.stringMatching(/^key_[0-9a-f]{24}$/) as string,
    secret: expect.stringMatching(/^sar_\w{39}$/) as string,
    hint: created.secret.slice(0, 10),
    name: 'shop',
    scopes: ['models:read', 'data:read'],
    rate_limit_per_minute: 90,
    labels: {},
    disabled: false,
    created_at: expect.stringMatching(/^\d{4}-.+Z$/) as string,
    expires_at: null,
    last_used_at: null,
    previous_secret_until: null,
    test: false,
  });
  const { api_key } = await operated.client.authenticate(
    { secret: created.secret },
    { requestId: 'req_test' },
  );
  expect(api_key?.id).toBe(created.id);
});

test('the secret is printed once and appears in no list and no service log', async () => {
  const { stdout, stderr } = await cli('keys', 'create', '--name', 'once', '--scopes', 'data:read');
  const secrets = stdout.match(/sar_\w{39}/g);
  expect(secrets).toHaveLength(1);
  expect(stdout).toContain('only once');
  const [secret] = secrets!;
  const list = await cli('keys', 'list');
  const listJson = await cli('keys', 'list', '--json');
  expect(list.stdout).toContain('once');
  for (const text of [stderr, list.stdout, listJson.stdout, operated.service.output()])
    expect(text).not.toContain(secret);
});

test('disable, enable and delete work as named', async () => {
  const { id, secret } = await create('switched');
  const state = async () =>
    (await operated.client.authenticate({ secret }, { requestId: 'req_test' })).api_key!.disabled;
  expect((await cli('keys', 'disable', id)).stdout).toContain(`${id} is disabled`);
  expect(await state()).toBe(true);
  expect((await cli('keys', 'list')).stdout).toMatch(new RegExp(`${id}.+disabled`));
  await json('keys', 'enable', id);
  expect(await state()).toBe(false);
  await json('keys', 'delete', id, '--yes');
  await expect(state()).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect((await cli('keys', 'list')).stdout).not.toContain(id);
});

test('a refusal by the service is one sentence with its code, and exit code 1', async () => {
  const request = await cli('keys', 'create', '--name', 'x', '--scopes', 'data:read,everything');
  expectFailure(request, 1, /scopes\.1: must be one of models:read.+\(invalid_request\)$/m);
  expectFailure(await cli('keys', 'disable', 'key_unknown'), 1, /no key key_unknown.+\(not_found\)$/m);
  const other = await makeFolder();
  await writeFleetFile(other, {
    keys: operated.service.address,
    market_data: NOWHERE,
    operator_token: 'not the token',
  });
  const refused = await runCli(['keys', 'list'], { env: { STATE_DIR: other } });
  expectFailure(refused, 1, /\(operator_token_required\)$/m);
});

test.each([
  ['no command at all', []],
  ['an unknown command', ['keys', 'steal']],
  ['an unknown option', ['keys', 'list', '--all']],
  ['a missing option', ['keys', 'create', '--scopes', 'data:read']],
  ['a limit of 0', ['keys', 'create', '--name', 'x', '--scopes', 'data:read', '--rate-limit', '0']],
  ['a missing argument', ['keys', 'disable']],
  ['a missing file', ['dataset', 'import', '/nowhere/market.csv']],
  ['an unknown kind', ['dataset', 'import', LAUNCHER, '--kind', 'invented']],
  ['a seed beyond 32 bits', ['dataset', 'sample', '--seed', '4294967296']],
])('%s is wrong usage: exit code 2, without a stack trace', async (_, words) => {
  const { code, stdout, stderr } = await cli(...words);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).not.toBe('');
  expect(stderr).not.toMatch(/\bat .+:\d+/);
});

test('a folder without data is wrong usage', async () => {
  const folder = await makeFolder();
  await writeFile(path.join(folder, '.hidden.csv'), 'date\n');
  await writeFile(path.join(folder, 'README.md'), 'nothing here');
  expectFailure(await cli('dataset', 'import', folder), 2, /no CSV or JSON file/);
});

test.each(['', 'keys', 'dataset import'])(
  'saring %s --help prints its usage and exits with 0',
  async (words) => {
    const { code, stdout, stderr } = await cli(...words.split(' ').filter(Boolean), '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: saring');
  },
);

test('a closed output pipe, as with head, is no failure', async () => {
  const { child, answer: response } = startCli(['keys', 'list'], { env: { STATE_DIR: operated.stateDir } });
  child.stdout!.destroy();
  expect(await response).toMatchObject({ code: 0, stderr: '' });
});

test('without a fleet the command explains how to start one, with exit code 3', async () => {
  const env = { STATE_DIR: await makeFolder() };
  expectFailure(await runCli(['keys', 'list'], { env }), 3, /no running fleet found.+make run/);
});

test('where the environment describes the fleet, a failure names the settings whose address does not answer', async () => {
  const { address } = operated.service;
  const env = {
    STATE_DIR: await makeFolder(),
    SARING_OPERATOR_TOKEN: 'x',
    KEYS_ADDRESS: address,
    MARKET_DATA_ADDRESS: address,
    MODELS_ADDRESS: NOWHERE,
    USAGE_ADDRESS: address,
    SCHEDULER_ADDRESS: address,
    FEED_ADDRESS: address,
  };
  const failed = await runCli(['runs', 'list'], { env });
  expectFailure(failed, 3, /MODELS_ADDRESS \(127\.0\.0\.1:\d+\)/);
  expect(failed.stderr).not.toMatch(/KEYS_ADDRESS|make run/);
  for (const words of [['status'], ['doctor'], ['logs', 'keys'], ['backup', 'x.tar']])
    expectFailure(
      await runCli(words, { env }),
      3,
      /state directory of 'make run'.+SARING_OPERATOR_TOKEN is set/,
    );
});

test('where a service takes the connection and is only late, the command can be repeated, as exit code 5 says', async () => {
  const late = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => late.once('listening', resolve));
  const address = `127.0.0.1:${(late.address() as { port: number }).port}`;
  const services = 'KEYS MARKET_DATA MODELS USAGE SCHEDULER FEED CONSENT SCREENS WEBHOOKS'.split(' ');
  const env = {
    SARING_OPERATOR_TOKEN: 'x',
    ...Object.fromEntries(services.map((name) => [`${name}_ADDRESS`, address])),
  };
  expectFailure(await runCli(['keys', 'list'], { env }), 5, /take connections.+not answer in time/);
  late.close();
});

test('an unreachable or incompletely described fleet is exit code 3', async () => {
  const gone = await makeFolder();
  await writeFleetFile(gone, { keys: NOWHERE, market_data: NOWHERE });
  for (const words of [
    ['keys', 'list'],
    ['dataset', 'list'],
    ['dataset', 'sample'],
    ['dataset', 'import', LAUNCHER],
  ]) {
    expectFailure(await runCli(words, { env: { STATE_DIR: gone } }), 3, /does not answer.+make run/);
  }
  for (const content of ['{"addresses": {}}', 'null', '{', '']) {
    await writeFile(path.join(gone, 'fleet.json'), content);
    expectFailure(await runCli(['keys', 'list'], { env: { STATE_DIR: gone } }), 3, /fleet\.json/);
  }
});

test('the fleet is found from any folder below the one with its state', async () => {
  const root = await makeFolder();
  const deep = path.join(root, 'a', 'b');
  await mkdir(deep, { recursive: true });
  for (const [name, env] of [
    ['.saring', {}],
    ['state', { STATE_DIR: 'state' }],
  ] as const) {
    await mkdir(path.join(root, name));
    await writeFleetFile(path.join(root, name), { keys: operated.service.address, market_data: NOWHERE });
    expect(await runCli(['keys', 'list'], { cwd: deep, env })).toMatchObject({ code: 0 });
  }
});

test('the environment takes precedence over files, and must name the whole fleet', async () => {
  const gone = await makeFolder();
  await writeFleetFile(gone, { keys: NOWHERE, market_data: NOWHERE });
  const env = {
    STATE_DIR: gone,
    SARING_OPERATOR_TOKEN: OPERATOR_TOKEN,
    KEYS_ADDRESS: operated.service.address,
  };
  const whole = {
    ...env,
    MARKET_DATA_ADDRESS: NOWHERE,
    MODELS_ADDRESS: NOWHERE,
    USAGE_ADDRESS: NOWHERE,
    SCHEDULER_ADDRESS: NOWHERE,
    FEED_ADDRESS: NOWHERE,
  };
  expect(await runCli(['keys', 'list'], { env: whole })).toMatchObject({ code: 0 });
  const { FEED_ADDRESS: _, ...withoutFeed } = whole;
  expect(await runCli(['keys', 'list'], { env: withoutFeed })).toMatchObject({ code: 0 });
  expectFailure(await runCli(['feed', 'status'], { env: withoutFeed }), 3, /FEED_ADDRESS/);
  expectFailure(
    await runCli(['keys', 'list'], { env }),
    3,
    /MARKET_DATA_ADDRESS, MODELS_ADDRESS, USAGE_ADDRESS, SCHEDULER_ADDRESS, FEED_ADDRESS, CONSENT_ADDRESS, SCREENS_ADDRESS and WEBHOOKS_ADDRESS must be set/,
  );
});

test('an older Node hands over to the packaged one, with the same output and exit codes', async () => {
  const old = (words: string[], more: CliSurroundings = {}) =>
    runCli(words, { env: { STATE_DIR: operated.stateDir }, nodeFlags: AS_OLD_NODE, ...more });
  expect(await old(['keys', 'list'])).toEqual(await cli('keys', 'list'));
  expect(await old(['keys', 'disable', 'key_unknown'])).toMatchObject({ code: 1 });
  expect(await old(['keys', 'disable'])).toMatchObject({ code: 2 });

  const bare = path.join(await makeFolder(), 'cli', 'saring.js');
  await mkdir(path.dirname(bare), { recursive: true });
  await copyFile(LAUNCHER, bare);
  expectFailure(await old(['keys', 'list'], { launcher: bare }), 3, /needs Node 22\.18/);
});

test('a signal to the older Node ends the command it started, with the exit code of the signal', async () => {
  const hung = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => hung.once('listening', resolve));
  const connected = new Promise((resolve) => hung.once('connection', resolve));
  const { port } = hung.address() as { port: number };
  const folder = await makeFolder();
  await writeFleetFile(folder, { keys: `127.0.0.1:${port}`, market_data: NOWHERE });
  const env = { STATE_DIR: folder };
  const { child, answer: response } = startCli(['keys', 'list'], { env, nodeFlags: AS_OLD_NODE });
  await connected;
  child.kill('SIGTERM');
  expect((await response).code).toBe(143);
  hung.close();
});

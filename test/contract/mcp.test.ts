import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { SaringClient } from '#client/index.ts';
import { mcpServer } from '#mcp/server.ts';
import { newTenant, newTestTenant, ownTenant } from '../support/fleets/contract.ts';
import { LAUNCHER } from '../support/fleets/saring-cli.ts';
import { nodeEnvironment } from '../support/processes/node-environment.ts';
import { IN_TIME } from '#support/hangs.ts';

const tenant = ownTenant();

function byCommand(): Transport {
  const env = { SARING_URL: inject('baseUrl'), SARING_KEY: tenant.key, SARING_END_USER: 'agent-1' };
  return new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp'],
    env: { ...nodeEnvironment(), ...env },
  });
}

function overHttp(key = tenant.key, endUser = 'agent-2'): Transport {
  const headers = { authorization: `Bearer ${key}`, 'x-end-user': endUser };
  const url = new URL('/mcp', inject('baseUrl'));
  return new StreamableHTTPClientTransport(url, { requestInit: { headers } });
}

/** The tools before an API that says more than they know of, everywhere in its answers. */
function beforeLaterApi(): Transport {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const [baseUrl, more] = [inject('baseUrl'), { added_later: [{ words: 'more' }] }];
  const adding = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, ...more } : value;
  const withMore = (json: string) => JSON.stringify(JSON.parse(json, adding));
  const saring = new SaringClient({
    ...{ baseUrl, apiKey: tenant.key, endUser: 'agent-3', language: 'en' },
    fetch: async (request) => {
      const { status, headers, body } = await fetch(request);
      const text = await new Response(body).text();
      const isStream = headers.get('content-type')!.includes('event-stream');
      const said = isStream ? text.replaceAll(/(?<=^data: ).+$/gm, withMore) : withMore(text);
      return new Response(said, { status, headers });
    },
  });
  void mcpServer({ saring, baseUrl, version: '1' }).connect(there);
  return here;
}

async function agentOver(transport: Transport): Promise<Client> {
  const agent = new Client({ name: 'an agent', version: '1' });
  await agent.connect(transport);
  return agent;
}

type Answer = Record<string, unknown>;

/** Calls a tool. The client checks the answer against the schema that the tool declares. */
const askedBy =
  (agent: () => Client) =>
  async (name: string, given: object = {}, onprogress?: (progress: Progress) => void): Promise<Answer> => {
    const options = { timeout: 90_000, ...(onprogress && { onprogress }) };
    const call = { name, arguments: { ...given } };
    const answer = (await agent().callTool(call, undefined, options)) as CallToolResult;
    expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy();
    return answer.structuredContent!;
  };

async function refusal(agent: Client, name: string, given: object = {}): Promise<string> {
  const answer = (await agent.callTool({ name, arguments: { ...given } })) as CallToolResult;
  expect(answer.isError).toBe(true);
  return (answer.content as { text: string }[]).map(({ text }) => text).join('\n');
}

test('an agent with a test key is told so with every answer, whichever market is served', async () => {
  const tester = await newTestTenant();
  const agent = await agentOver(overHttp(tester.key));
  // The first call of a fleet may come before the test market is made.
  const answer = await vi.waitFor(() => askedBy(() => agent)('market_today'), IN_TIME);
  expect(answer).toMatchObject({ date: '2025-12-30' });
  expect((answer['caveats'] as string[])[0]).toMatch(/^TEST: /);
  await agent.close();
});

describe.each([
  { door: 'saring mcp', endUser: 'agent-1', connect: () => byCommand() },
  { door: '/mcp', endUser: 'agent-2', connect: () => overHttp() },
  { door: 'before an API that says more', endUser: 'agent-3', connect: () => beforeLaterApi() },
])('$door', ({ endUser, connect }) => {
  let agent: Client;
  beforeAll(async () => {
    agent = await agentOver(connect());
    // The client checks answers against the schemas of the tools that it has listed.
    await agent.listTools();
  });
  afterAll(() => agent.close());
  const ask = askedBy(() => agent);

  test('offers tools, each with what it takes, what it answers and whether it changes anything', async () => {
    const { tools } = await agent.listTools();
    expect(tools.length).toBeLessThanOrEqual(16);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([name, title, description].every((text) => text !== undefined && text.length > 5)).toBe(true);
      expect(inputSchema.type).toBe('object');
      expect(outputSchema!.required).toContain('caveats');
      expect(annotations!.readOnlyHint).toBeTypeOf('boolean');
      for (const schema of [inputSchema, outputSchema])
        expect(schema).toMatchObject({
          $schema: 'http://json-schema.org/draft-07/schema#',
          additionalProperties: false,
        });
    }
    // By this, clients refuse 1.15.
    expect(JSON.stringify(tools)).not.toContain('"multipleOf":0');
  });

  test('refuses an argument that a tool does not have, and names it and the nearest that it has', async () => {
    const { tools } = await agent.listTools();
    for (const { name, inputSchema } of tools) {
      const [nearest] = Object.keys(inputSchema.properties!);
      const unknown = `${nearest ?? 'as_of'}x`;
      const says = await refusal(agent, name, { [unknown]: 'BBCA' });
      expect(says).toMatch(/^invalid_request: /);
      expect(says).toContain(`${unknown}: is not known here`);
      expect(says).toContain(nearest === undefined ? 'nothing is allowed' : `did you mean ${nearest}?`);
    }
  });

  test.each([
    ['try_screen', { rules: 'rsi_14 < 60', date: '2024-05-15' }, 'date', 'allowed: rules, as_of'],
    ['look_at_stock', { ticker: 'AAAA', as_of: '2024-05-15' }, 'as_of', 'allowed: ticker'],
    [
      'run_model',
      { model_id: 'confluence_filter', as_of: '2024-05-15' },
      'as_of',
      'allowed: model_id, params',
    ],
    ['save_screen', { name: 'Calm', rules: 'rsi_14 < 60', id: 'scr_1' }, 'id', 'did you mean screen_id?'],
    ['run_screen', { screen: 'scr_1' }, 'screen', 'did you mean screen_id?'],
    ['market_toda', {}, 'market_toda', 'Did you mean market_today?'],
  ])('does nothing where %s is asked more than it takes', async (name, given, unknown, hint) => {
    const done = async () => [
      await tenant.client.screens.list({ endUser }).first(),
      await tenant.client.jobs.list({ endUser }),
    ];
    const before = await done();
    const says = await refusal(agent, name, given);
    expect(says).toContain(unknown);
    expect(says).toContain(hint);
    expect(await done()).toEqual(before);
  });

  test('takes null for what is left out, numbers as text and blanks around words', async () => {
    const rules = 'rsi_14 < 60';
    const tried = await ask('try_screen', { rules });
    expect(await ask('try_screen', { rules: ` ${rules}\n`, as_of: null })).toEqual(tried);
    const tickers = (tried['rows'] as { ticker: string }[]).slice(0, 2).map(({ ticker }) => ticker);
    const compared = await ask('compare_stocks', { tickers, days: 5 });
    expect(await ask('compare_stocks', { tickers: tickers.map((one) => ` ${one} `), days: '5' })).toEqual(
      compared,
    );
    expect(await ask('compare_stocks', { tickers, days: null })).toEqual(
      await ask('compare_stocks', { tickers }),
    );
    const model_id = 'confluence_filter';
    expect(await ask('run_model', { model_id, params: null })).toHaveProperty('picks');
    expect(await ask('run_model', { model_id, params: { max_picks: null } })).toHaveProperty('picks');
    const nothing = { name: 'market_today', arguments: null } as unknown as { name: string };
    expect(await agent.callTool(nothing)).toHaveProperty('structuredContent');
    expect(await refusal(agent, 'compare_stocks', { tickers, days: '1.000' })).toContain('days: ');
    expect(await refusal(agent, 'try_screen', { rules: null })).toContain('rules: ');
  });

  test('says how to read its numbers, and labels a generated market with every answer', async () => {
    expect(agent.getInstructions()).toContain('caveats');
    const { caveats, regime } = await ask('market_today');
    expect(regime).toMatch(/^(BULL|SIDEWAYS|BEAR)$/);
    expect((caveats as string[])[0]).toMatch(/^SYNTHETIC: /);
    expect((caveats as string[]).at(-1)).toContain('recommendation');
  });

  test('answers a dialogue of ten questions, from the market to what a screen is worth', async () => {
    const market = await ask('market_today');
    const [{ ticker }, other] = market['top_gainers'] as [{ ticker: string }, { ticker: string }];
    expect(await ask('look_at_stock', { ticker })).toMatchObject({ ticker, date: market['date'] });
    const compared = await ask('compare_stocks', { tickers: [ticker, other.ticker] });
    expect((compared['stocks'] as object[]).length).toBe(2);

    const { models } = await ask('list_models');
    expect(models).toContainEqual(expect.objectContaining({ id: 'model_f_combined' }));
    const states: (string | undefined)[] = [];
    const run = await ask(
      'run_model',
      { model_id: 'confluence_filter', params: { min_signals: 1 } },
      ({ message }) => states.push(message),
    );
    expect(states.at(-1)).toBe('succeeded');
    const [pick] = run['picks'] as { ticker: string; last_close: number }[];
    expect(pick!.last_close).toBeGreaterThan(0);
    const why = await ask('why_picked', { job_id: run['job_id'], ticker: pick!.ticker });
    expect(why).toMatchObject({ ticker: pick!.ticker, picked: true });

    const { fields } = await ask('find_fields', { words: 'rsi' });
    expect((fields as { name: string }[]).map(({ name }) => name)).toContain('rsi_14');
    const rules = 'rsi_14 < 60';
    const tried = await ask('try_screen', { rules });
    expect(tried['matched']).toBeGreaterThan(0);
    const saved = await ask('save_screen', { name: 'Calm', rules });
    const held = await ask('run_screen', { screen_id: saved['screen_id'] });
    expect(held['matched']).toBe(tried['matched']);
    const worth = await ask('how_good_is_screen', { screen_id: saved['screen_id'] });
    expect(worth['verdict']).toMatch(/shown|worse/);
    expect(worth['trials']).toBeGreaterThan(0);
  });

  test('follows what changes: a second run, a changed screen, and money', async () => {
    const wide = { model_id: 'confluence_filter', params: { min_signals: 1 } };
    const before = await ask('run_model', wide);
    const now = await ask('run_model', { ...wide, params: { min_signals: 2 } });
    const changed = await ask('what_changed', { job_id: now['job_id'], before: before['job_id'] });
    expect(changed['same_dataset']).toBe(true);
    expect(changed['left']).not.toEqual([]);
    const saved = await ask('save_screen', { name: 'Fallen', rules: 'rsi_14 < 50' });
    const again = await ask('save_screen', {
      name: 'Fallen',
      rules: 'rsi_14 < 55',
      screen_id: saved['screen_id'],
    });
    expect(again['version']).toBe(2);
    expect(await ask('my_screens')).toHaveProperty('screens');
    expect(await ask('screen_changes', { screen_id: saved['screen_id'] })).toHaveProperty('changes');
    const { last_date: to } = (await tenant.client.health()).dataset!;
    const from = `${Number(to.slice(0, 4)) - 1}${to.slice(4)}`;
    const money = await ask('simulate', {
      screen_id: saved['screen_id'],
      from,
      to,
      capital_idr: 100_000_000,
    });
    expect(money['end_idr']).toBeGreaterThan(0);
    expect(money['verdict']).toMatch(/shown|worse/);
    expect(await ask('how_good_is_model', { model_id: 'model_f_combined' })).toHaveProperty('lift');
  });

  test('has fields, models and documents to read whole', async () => {
    const { resources } = await agent.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(['saring://fields', 'saring://models']));
    const whole = async (uri: string) => {
      const { contents } = await agent.readResource({ uri });
      const { text, mimeType } = contents[0] as { text: string; mimeType: string };
      return mimeType === 'application/json' ? (JSON.parse(text) as unknown) : text;
    };
    const documents = uris.filter((uri) => uri.startsWith('saring://documents/'));
    expect(documents).toContain('saring://documents/screening');
    for (const uri of documents) expect(await whole(uri)).toMatch(/^# /m);
    await expect(whole('saring://documents/none')).rejects.toThrow('not_found');
    expect(await whole('saring://fields')).toContainEqual(expect.objectContaining({ name: 'rsi_14' }));
    expect(await whole('saring://models')).toHaveLength(6);
    expect(await whole('saring://models/confluence_filter')).toHaveProperty('params.min_signals');
    await expect(whole('saring://models/model_x')).rejects.toThrow('model_not_found');
  });

  test('says precisely what is wrong, so that the next call is right', async () => {
    expect(await refusal(agent, 'look_at_stock', { ticker: 'BBCA.JK' })).toMatch(
      /^not_found: .+without “\.JK”/,
    );
    expect(await refusal(agent, 'try_screen', { rules: 'rsi_14 <' })).toMatch(/^invalid_request/);
    expect(await refusal(agent, 'run_model', { model_id: 'model_x' })).toMatch(/^model_not_found/);
    expect(await refusal(agent, 'compare_stocks', { tickers: ['BBCA'] })).toContain('tickers');
  });

  test('stops the run of whoever no longer wants its answer', async () => {
    const gone = new AbortController();
    const asked = agent.callTool(
      { name: 'run_model', arguments: { model_id: 'model_f_combined' } },
      undefined,
      {
        signal: gone.signal,
        onprogress: () => gone.abort(),
      },
    );
    await expect(asked).rejects.toThrow();
    const cancelled = async () => (await tenant.client.jobs.list({ endUser })).map(({ status }) => status);
    await expect.poll(cancelled).not.toContain('running');
  });
});

describe('/mcp', () => {
  const url = () => new URL('/mcp', inject('baseUrl'));
  const message = (method: string, id = 1) => ({ jsonrpc: '2.0', id, method, params: {} });
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(url(), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const codeOf = async (response: Response) =>
    ((await response.json()) as { error: { code: string } }).error.code;

  test.each([
    ['no key', 'tools/list', { authorization: '' }, 401, 'missing_api_key'],
    ['an unknown key', 'tools/list', { authorization: 'Bearer sk_wrong' }, 401, 'invalid_api_key'],
    ['another origin', 'tools/list', { origin: 'https://evil.example' }, 403, 'origin_not_allowed'],
    ['an invalid end user', 'tools/list', { 'x-end-user': 'a b' }, 400, 'invalid_end_user'],
    ['another media type', 'tools/list', { 'content-type': 'text/plain' }, 422, 'invalid_request'],
  ])('refuses %s in the words of the API', async (_, method, headers, status, code) => {
    const response = await post(message(method), headers);
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
  });

  test.each([
    ['no JSON', '{'],
    ['several messages in one request', [message('ping'), message('ping', 2)]],
    ['nothing but a number', '7'],
  ])('refuses %s', async (_, body) => {
    const response = await post(body);
    expect([response.status, await codeOf(response)]).toEqual([422, 'invalid_request']);
  });

  test('takes nothing but POST, and says so', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(url(), { method, headers: { authorization: `Bearer ${tenant.key}` } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await codeOf(response)).toBe('method_not_allowed');
    }
  });

  test('gives a key the tools of its scopes alone, and of nobody else’s work', async () => {
    const [owner, reader, stranger] = await Promise.all([
      agentOver(overHttp()),
      newTenant('data:read').then(({ key }) => agentOver(overHttp(key))),
      newTenant().then(({ key }) => agentOver(overHttp(key))),
    ]);
    expect(await askedBy(() => reader)('market_today')).toHaveProperty('regime');
    expect(await refusal(reader, 'run_model', { model_id: 'confluence_filter' })).toMatch(
      /^insufficient_scope/,
    );
    const saved = await askedBy(() => owner)('save_screen', { name: 'Mine', rules: 'rsi_14 < 60' });
    const run = await askedBy(() => owner)('run_model', { model_id: 'confluence_filter' });
    const { screen_id } = saved;
    expect(await refusal(stranger, 'run_screen', { screen_id })).toMatch(/^screen_not_found/);
    expect(await refusal(stranger, 'why_picked', { job_id: run['job_id'], ticker: 'AAAA' })).toMatch(
      /^job_not_found/,
    );
    for (const agent of [owner, reader, stranger]) await agent.close();
  });

  test('counts the calls of a tool, no more, and refuses a key that has spent its limit', async () => {
    const { key } = await newTenant(undefined, 40);
    const agent = await agentOver(overHttp(key));
    const left = async () => {
      const { headers } = await fetch(new URL('/api/v1/scopes', inject('baseUrl')), {
        headers: { authorization: `Bearer ${key}` },
      });
      return Number(headers.get('x-ratelimit-remaining'));
    };
    const before = await left();
    await askedBy(() => agent)('look_at_stock', { ticker: await anyTicker() });
    const cost = before - (await left()) - 1;
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(4);
    // Without a call of its own, a refused question costs one.
    const asked = await left();
    await agent.callTool({ name: 'compare_stocks', arguments: { tickers: [] } });
    expect(asked - (await left())).toBe(2);
    while ((await left()) > 0);
    await expect(agent.callTool({ name: 'market_today', arguments: {} })).rejects.toThrow(/429|rate_limited/);
    await agent.close();
  });

  const anyTicker = async () => (await tenant.client.screens.preview({ rules: 'limit 1' })).rows[0]!.ticker;
});

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ownTenant } from '../support/fleets/contract.ts';
import { LAUNCHER } from '../support/fleets/saring-cli.ts';
import { nodeEnvironment } from '../support/processes/node-environment.ts';

const tenant = ownTenant();
let agent: Client;
beforeAll(async () => {
  agent = new Client({ name: 'an agent', version: '1' });
  const env = { SARING_URL: inject('baseUrl'), SARING_KEY: tenant.key, SARING_END_USER: 'agent-1' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp'],
    env: { ...nodeEnvironment(), ...env },
  });
  await agent.connect(transport);
});
afterAll(() => agent.close());

type Answer = Record<string, unknown>;

/** Calls a tool. The client checks the answer against the schema that the tool declares. */
async function ask(
  name: string,
  given: object = {},
  onprogress?: (progress: Progress) => void,
): Promise<Answer> {
  const options = { timeout: 90_000, ...(onprogress && { onprogress }) };
  const answer = (await agent.callTool(
    { name, arguments: { ...given } },
    undefined,
    options,
  )) as CallToolResult;
  expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy();
  return answer.structuredContent!;
}

async function refusal(name: string, given: object): Promise<string> {
  const answer = (await agent.callTool({ name, arguments: { ...given } })) as CallToolResult;
  expect(answer.isError).toBe(true);
  return (answer.content as { text: string }[]).map(({ text }) => text).join('\n');
}

describe('saring mcp', () => {
  test('offers tools, each with what it takes, what it answers and whether it changes anything', async () => {
    const { tools } = await agent.listTools();
    expect(tools.length).toBeLessThanOrEqual(16);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([name, title, description].every((text) => text !== undefined && text.length > 5)).toBe(true);
      expect(inputSchema.type).toBe('object');
      expect(outputSchema!.required).toContain('caveats');
      expect(annotations!.readOnlyHint).toBeTypeOf('boolean');
    }
  });

  test('says how to read its numbers, and labels a generated market with every answer', async () => {
    expect(agent.getInstructions()).toContain('caveats');
    const { caveats, regime } = await ask('market_today');
    expect(regime).toMatch(/^(BULL|SIDEWAYS|BEAR)$/);
    expect((caveats as string[])[0]).toMatch(/^SYNTHETIC: /);
    expect((caveats as string[]).at(-1)).toContain('recommendation');
  });

  test(
    'answers a dialogue of ten questions, from the market to what a screen is worth',
    { timeout: 180_000 },
    async () => {
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
      const [pick] = run['picks'] as { ticker: string }[];
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
      expect(worth['verdict']).toMatch(/shown/);
      expect(worth['trials']).toBeGreaterThan(0);
    },
  );

  test('follows what changes: a second run, a changed screen, and money', { timeout: 180_000 }, async () => {
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
    expect(money['verdict']).toMatch(/shown/);
    expect(await ask('how_good_is_model', { model_id: 'model_f_combined' })).toHaveProperty('lift');
  });

  test('says precisely what is wrong, so that the next call is right', async () => {
    expect(await refusal('look_at_stock', { ticker: 'BBCA.JK' })).toMatch(/^not_found: .+without “\.JK”/);
    expect(await refusal('try_screen', { rules: 'rsi_14 <' })).toMatch(/^invalid_request/);
    expect(await refusal('run_model', { model_id: 'model_x' })).toMatch(/^model_not_found/);
    expect(await refusal('compare_stocks', { tickers: ['BBCA'] })).toContain('tickers');
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
    const cancelled = async () =>
      (await tenant.client.jobs.list({ endUser: 'agent-1' })).map(({ status }) => status);
    await expect.poll(cancelled).not.toContain('running');
  });
});

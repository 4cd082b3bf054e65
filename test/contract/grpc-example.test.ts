import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject } from 'vitest';
import { ownTenant, testOfOwnFleet } from '../support/fleets/contract.ts';
import { REPOSITORY } from '#support/repository.ts';
import { nodeEnvironment } from '../support/processes/node-environment.ts';

const test = testOfOwnFleet('services that answer on this machine');
const tenant = ownTenant('data:read');
const run = promisify(execFile);

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

async function example(words: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const surroundings = { ...nodeEnvironment(), STATE_DIR: inject('stateDir'), ...env };
  try {
    const { stdout, stderr } = await run(process.execPath, ['deploy/examples/read-market.ts', ...words], {
      cwd: REPOSITORY,
      env: surroundings,
    });
    return { code: 0, stdout, stderr };
  } catch (failure) {
    return failure as Outcome;
  }
}

test('the example finds the fleet and prints over gRPC what REST returns', async () => {
  const { body } = await tenant.rest.get<{ date: string; regime: string; top_gainers: { ticker: string }[] }>(
    '/api/v1/data/market-overview',
  );
  const { code, stdout, stderr } = await example([]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`${body.date}: ${body.regime}`);
  expect(body.top_gainers.length).toBeGreaterThan(0);
  for (const { ticker } of body.top_gainers.slice(0, 5))
    expect(stdout).toMatch(new RegExp(`^ *${ticker} .*%`, 'm'));
});

test('the example prints the requested stocks in any case and lists unknown ones', async () => {
  const { body } = await tenant.rest.get<{ top_gainers: { ticker: string }[] }>(
    '/api/v1/data/market-overview',
  );
  const [{ ticker }] = body.top_gainers as [{ ticker: string }];
  const { code, stdout } = await example([ticker.toLowerCase(), 'zzzz9']);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^ *${ticker} .*%`, 'm'));
  expect(stdout).toContain('Without data: ZZZZ9');
});

test('the example reports an error by code, with the invalid field and the request id', async () => {
  const unknown = await example(['zzzz9']);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toMatch(/^not_found: .*\(request req_[0-9a-f]{24}\)/s);
  const many = await example(Array.from({ length: 51 }, (_, i) => `T${i}`));
  expect(many.stderr).toMatch(/^too_many_tickers: .*\n {2}tickers must name at most 50/);
});

test('the example reports an unreachable service as data_unavailable and a missing fleet as missing', async () => {
  const unavailable = await example([], { MARKET_DATA_ADDRESS: '127.0.0.1:1' });
  expect([unavailable.code, unavailable.stderr]).toEqual([1, expect.stringMatching(/^data_unavailable: /)]);
  const none = await example([], { STATE_DIR: '/nowhere' });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("start one with 'make run'")]);
});

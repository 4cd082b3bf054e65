import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { resultOf, SaringClient, type ClientOptions, type Job } from '#client/index.ts';
import { freePort } from '#local/state/ports.ts';
import { newTenant, ownTenant, testOfOwnFleet, type Tenant } from '../support/fleets/contract.ts';
import { fleetFileIn, REPOSITORY } from '../support/fleets/fleet.ts';
import { nodeEnvironment } from '../support/processes/node-environment.ts';
import { startSecondGateway } from '../support/fleets/second-gateway.ts';

const tenant = ownTenant();
const ownTest = testOfOwnFleet('gateways beside its own');
const run = promisify(execFile);
const CLIENT = path.join(REPOSITORY, 'clients/typescript');

/** A client with that key, and the paths that it requests. */
function watchedClient({ key }: Tenant, options: Partial<ClientOptions> = {}) {
  const { fetch: response = fetch, ...others } = options;
  const requested: string[] = [];
  const client = new SaringClient({
    baseUrl: inject('baseUrl'),
    apiKey: key,
    endUser: 'tester',
    ...others,
    fetch: (request) => {
      requested.push(`${request.method} ${new URL(request.url).pathname.replace(/job_\w+/, '…')}`);
      return response(request);
    },
  });
  return { client, asked: requested };
}

async function statesOf(jobs: AsyncIterable<Job>): Promise<string[]> {
  const states: string[] = [];
  for await (const { status } of jobs) states.push(status);
  return states;
}

describe('the client, copied as its README says', () => {
  let project: string;
  let shown: string;
  beforeAll(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'saring-client-'));
    project = path.join(folder, 'your-project');
    const example = await readFile(path.join(CLIENT, 'example.ts'), 'utf8');
    shown = example.replace('./index.ts', './saring/index.ts');
    const [commands, settings] = await Promise.all([readmeBlock('sh'), readmeBlock('json')]);
    await symlink(path.join(REPOSITORY, 'clients'), path.join(folder, 'clients'));
    // The types are generated already, and the packages are those of this project.
    const copying = commands.split('\n').filter((line) => !/^(make proto|npm install)\b/.test(line));
    await run('bash', ['-e', '-c', copying.join('\n')], { cwd: folder });
    await symlink(path.join(REPOSITORY, 'node_modules'), path.join(project, 'node_modules'));
    await writeFile(path.join(project, 'tsconfig.json'), settings);
    await writeFile(path.join(project, 'example.ts'), shown);
    await writeFile(path.join(project, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rm(path.dirname(project), { recursive: true }));

  test('compiles, with the example of the README', async () => {
    expect(await readFile(path.join(CLIENT, 'README.md'), 'utf8')).toContain(`\`\`\`ts\n${shown}\`\`\`\n`);
    const compiler = path.join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    const compiled = await run(process.execPath, [compiler, '-p', '.'], { cwd: project }).catch(
      (failure: unknown) => failure as { stdout: string },
    );
    expect(compiled.stdout).toBe('');
  });

  test('runs the example outside this project', async () => {
    const env = { ...nodeEnvironment(), SARING_URL: inject('baseUrl'), SARING_KEY: tenant.key };
    const { stdout } = await run(process.execPath, ['example.ts'], { cwd: project, env });
    expect(stdout).toMatch(
      /^As of \d{4}-\d{2}-\d{2}, best first, .+:\n1\. \S+ \d+(\.\d)?%, usually \d+(\.\d)?%; score /,
    );
    expect(stdout).toMatch(/^No such job; ask about req_/m);
  });
});

async function readmeBlock(language: string): Promise<string> {
  const text = await readFile(path.join(CLIENT, 'README.md'), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)![1]!;
}

test('the client follows a job by its event stream alone', async () => {
  const { client, asked: requested } = watchedClient(tenant);
  const { job_id } = await client.runs.submit('confluence_filter');
  const states = await statesOf(client.jobs.follow(job_id));
  expect(states.at(-1)).toBe('succeeded');
  expect(new Set(states).size).toBe(states.length);
  expect(requested).toEqual(['POST /api/v1/models/confluence_filter/runs', 'GET /api/v1/jobs/…/events']);
});

test('the client falls back to polling when there is no event stream', async () => {
  const noEvents = async (request: Request) =>
    request.url.endsWith('/events') ? new Response('Not Found', { status: 404 }) : fetch(request);
  const { client, asked: requested } = watchedClient(tenant, { fetch: noEvents });
  const { job_id } = await client.runs.submit('confluence_filter');
  const job = await client.jobs.wait(job_id);
  expect(job).toMatchObject({ job_id, status: 'succeeded', result_available: true });
  expect(resultOf(job)).toHaveProperty('df_result');
  expect(requested).toContain('GET /api/v1/jobs/…');
});

test('the client retries a submission whose answer was lost, and it runs once', async () => {
  const own = await newTenant();
  let lost = 0;
  const losing = async (request: Request) => {
    const response = await fetch(request);
    if (request.method !== 'POST' || lost++ > 0) return response;
    throw new TypeError('the connection broke');
  };
  const { client, asked: requested } = watchedClient(own, { fetch: losing });
  const job = await client.runAndWait('confluence_filter', { params: { lookback: 3 } });
  expect(job.status).toBe('succeeded');
  expect(requested.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  expect((await own.client.jobs.list()).map(({ job_id }) => job_id)).toEqual([job.job_id]);
});

ownTest('a run is followed through a restart of its gateway', async () => {
  const own = await newTenant();
  const fleet = await fleetFileIn(inject('stateDir'));
  const PORT = String(await freePort());
  let gateway = await startSecondGateway(fleet, { PORT });
  onTestFinished(() => gateway.stop());
  const { client } = watchedClient(own, { baseUrl: gateway.baseUrl });
  const running = client.runAndWait('model_f_combined', { view: 'compact' });
  await expect
    .poll(async () => (await own.client.jobs.list()).length, { interval: 20, timeout: 10_000 })
    .toBe(1);
  await gateway.stop();
  gateway = await startSecondGateway(fleet, { PORT });
  const job = await running;
  expect(resultOf(job)).toMatchObject({ model_id: 'model_f_combined', view: 'compact' });
  expect((await own.client.jobs.list()).map(({ job_id }) => job_id)).toEqual([job.job_id]);
});

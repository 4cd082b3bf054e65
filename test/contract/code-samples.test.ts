import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { documentOf } from '#support/declared-api/openapi-document.ts';
import { AnswerRecorder } from '#support/declared-api/recorded-answers.ts';
import { recordedRun } from '#support/declared-api/request-parts.ts';
import { newTenant } from '#support/fleets/contract.ts';
import { fleetFileIn } from '#support/fleets/fleet.ts';
import { TENANT_SCOPES } from '#support/fleets/issued-keys.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';

const run = promisify(execFile);
const { paths } = await documentOf(inject('baseUrl'));
const operations = Object.entries(paths).flatMap(([at, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, at, ...operation })),
);
/** What others still need is deleted last. */
const inOrder = operations.toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));

/** `make examples` sets this. */
const recorder = process.env['RECORD_ANSWERS'] === '1' ? new AnswerRecorder() : undefined;
/** The job that is cancelled has ended, so that the answer is that of getJob, and shows nothing of a cancellation. */
const SHOWN_ELSEWHERE = 'cancelJob';

let folder: string;
let environment: NodeJS.ProcessEnv;
/** Values with which the key of this test finds something, by the examples that stand for them. */
let found: Record<string, string>;

beforeAll(async () => {
  const { rest, key } = await newTenant(`${TENANT_SCOPES},usage:admin`);
  const good = await recordedRun(rest, 'sample-user');
  const path = '/api/v1/models/model_f_combined/runs';
  const { body } = await rest.post<JobBody>(path, {}, { endUser: good.end_user_id });
  // A run of a model that trains, so that it has a file.
  const { job_id } = await pollUntilFinal(rest, body.job_id);
  found = {
    job_5f0c6f1e9a3b4d2c8e7f6a5b: job_id,
    bf_5f0c6f1e9a3b4d2c8e7f6a5b: good.backfill_id,
    scr_5f0c6f1e9a3b4d2c8e7f6a5b: good.screen_id,
    wl_5f0c6f1e9a3b4d2c8e7f6a5b: good.watchlist_id,
    wh_5f0c6f1e9a3b4d2c8e7f6a5b: good.webhook_id,
    del_5f0c6f1e9a3b4d2c8e7f6a5b: good.delivery_id,
    ses_5f0c6f1e9a3b4d2c8e7f6a5b: good.session_id,
    ue_0a1b2c3d4e5f60718293a4b5: good.event_id,
    'real-20240628-1': good.version,
    '3f1c9a526d0e4b7f9a440c2b7d5e8f10': good.document_version,
    'user-42': good.end_user_id,
    BBCA: good.ticker,
    '/AK/': `/${good.broker_code}/`,
  };
  const { operator_token: OPERATOR_TOKEN } = await fleetFileIn(inject('stateDir'));
  folder = await mkdtemp(`${tmpdir()}/saring-samples-`);
  const own = { SARING_URL: inject('baseUrl'), SARING_KEY: key, OPERATOR_TOKEN };
  environment = { ...process.env, ...own, CURL_CA_BUNDLE: process.env['NODE_EXTRA_CA_CERTS'] ?? '' };
});
afterAll(async () => {
  recorder?.save();
  await rm(folder, { recursive: true });
});

describe('the curl sample of', () => {
  test.each(inOrder)(
    '$method $at works as it is written',
    async ({ operationId, responses, 'x-codeSamples': samples }) => {
      const { source } = samples.find(({ label }) => label === 'curl')!;
      const told = Object.entries(found).reduce(
        (text, [example, value]) => text.replaceAll(example, value),
        source,
      );
      const command = told.replace('curl ', String.raw`curl -w '\n%{http_code}' `);
      const { stdout } = await run('bash', ['-c', command], {
        cwd: folder,
        env: environment,
        maxBuffer: 1e9,
      });
      const [body, status] = [stdout.slice(0, -4), stdout.slice(-3)];
      expect(status, `${command}\n${body.slice(0, 2_000)}`).toMatch(/^2\d\d$/);
      if (responses[status]!.content?.['application/json'] && operationId !== SHOWN_ELSEWHERE)
        recorder?.record(operationId, Number(status), body);
    },
  );
});

import Type from 'typebox';
import { DateTime, nullable, oneOf, Params } from './common.ts';
import { named } from './named.ts';
import { RunResult } from './run-result.ts';
import { Summary } from './summary.ts';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'interrupted'] as const;
export const FINAL_STATUSES: readonly string[] = ['succeeded', 'failed', 'interrupted'];

export const Job = named(
  'Job',
  Type.Object(
    {
      job_id: Type.String({
        description: '`job_` followed by a hex string.',
        examples: ['job_5f0c6f1e9a3b4d2c8e7f6a5b'],
      }),
      kind: Type.Literal('model_run'),
      target: Type.String({ description: 'Model id.', examples: ['model_f_combined'] }),
      status: oneOf(JOB_STATUSES, {
        description:
          '`queued` waits for a worker, `running` is being worked on; the others are final. `failed` and ' +
          '`interrupted` are not HTTP errors: read `error`. An interrupted run may simply be submitted again.',
      }),
      params: Params('Parameters the run used, defaults filled in, the analysis date as it took effect.'),
      created_at: DateTime('When the run was accepted.'),
      started_at: nullable(DateTime('When a worker took it.'), 'When a worker took it; null before that.'),
      finished_at: nullable(DateTime('When it ended.'), 'When it ended; null while it has not.'),
      duration_seconds: Type.Number({
        description: 'From start to end, or to now while it runs. Seconds; 0.0 before the start.',
      }),
      poll_url: Type.String({
        description: 'Path to poll.',
        examples: ['/api/v1/jobs/job_5f0c6f1e9a3b4d2c8e7f6a5b'],
      }),
      source: oneOf(['live', 'ledger'], {
        description:
          '`live`: unfinished, or finished and still in memory (3600 s, 500 results). `ledger`: only the ' +
          'record and its `summary` are left.',
      }),
      result_available: Type.Boolean({
        description: 'Whether `result` can be had now. Branch on this, not on `status`.',
      }),
      result: Type.Optional(RunResult),
      summary: Type.Optional(Summary),
      end_user: Type.String({ description: 'The asserted end-user id.' }),
      error: Type.Optional(
        Type.Object(
          { message: Type.String({ description: 'For display, in Bahasa Indonesia.' }) },
          { description: 'Only on failed and interrupted jobs.' },
        ),
      ),
    },
    { description: 'A model run.' },
  ),
);

export const JobList = named(
  'JobList',
  Type.Object({
    jobs: Type.Array(Job, { description: 'Newest first, without results.' }),
    count: Type.Integer({ description: 'Number of jobs in this answer.' }),
  }),
);

import Type from 'typebox';
import { jakartaDateTime } from '#shared/jakarta-time.ts';
import { named, nullable, oneOf } from '#shared/schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { serviceRoute } from './service-route.ts';

const Process = named(
  'Process',
  Type.Object(
    {
      name: Type.String({ description: 'As OPERATIONS_URLS names it.', examples: ['model-worker-1'] }),
      state: oneOf(['ready', 'not_ready', 'silent'], {
        description: '`ready` serves, `not_ready` says why it does not, `silent` does not answer.',
      }),
      reasons: Type.Array(Type.String(), { description: 'Why it is not ready; empty when it is.' }),
      degraded: Type.Array(Type.String(), { description: 'What is away without which it still serves.' }),
      version: nullable(Type.String(), 'Of the project; null while it is silent, as the next two.'),
      memory_bytes: nullable(Type.Integer(), 'Resident memory.'),
      started_at: nullable(Type.String({ format: 'date-time' }), 'When it started.'),
    },
    { description: 'A process of the fleet, as its operations port shows it.' },
  ),
);

const ProcessList = named(
  'ProcessList',
  Type.Object({
    processes: Type.Array(Process, {
      description: 'In the order of OPERATIONS_URLS; none where the gateway knows no operations port.',
    }),
  }),
);

const ofOperator = { method: 'get', tag: 'Operator', access: 'the operator' } as const;

/** The read-only calls of the `saring` command. Each service checks the token of the request again. */
export const operatorRoutes = [
  defineRoute({
    ...ofOperator,
    path: '/api/v1/operator/processes',
    operationId: 'listProcesses',
    summary: 'Every process and whether it is ready',
    description:
      'Asks the operations port of each process at once and waits two seconds at most. The gateway knows those that ' +
      '`OPERATIONS_URLS` names.',
    responses: { 200: { description: 'The processes.', schema: ProcessList } },
    errors: [],
    handler: async (_input, _call, { operationsPorts }) => {
      const processes = await operationsPorts.states();
      return {
        processes: processes.map(({ started_at, ...process }) => ({
          ...process,
          started_at: started_at && jakartaDateTime(started_at),
        })),
      };
    },
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/queue',
    operationId: 'getQueue',
    rpc: ['runs', 'getQueue'],
    summary: 'The queue of runs, now and over the last while',
    description:
      'How many runs wait and run, for how long the oldest has been waiting, and at 60 points of the while how many ' +
      'there were, how long runs waited and how long they took. Runs of every key count, those of the operator too.',
    answer: 'The queue.',
    errors: ['model_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/datasets',
    operationId: 'listDatasets',
    rpc: ['datasets', 'listDatasets'],
    summary: 'Every dataset version',
    description: 'Newest first, with how many rows its import refused, and which version is served.',
    answer: 'The versions.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/datasets/history',
    operationId: 'listServedDatasets',
    rpc: ['datasets', 'listServedDatasets'],
    summary: 'What was served since when',
    description: 'Newest first, with who made it so and why.',
    answer: 'The changes.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/datasets/{version}/rejected-rows',
    operationId: 'listRejectedRows',
    rpc: ['datasets', 'listRejectedRows'],
    unknownIdCode: 'not_found',
    summary: 'Rows that the import of a version refused',
    description: 'In file order, each with its place, the reason and the row as it was read.',
    answer: 'The rows.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/keys',
    operationId: 'listKeys',
    rpc: ['keys', 'listKeys'],
    summary: 'Every API key',
    description: 'Oldest first, without deleted ones. Of a secret there is the beginning alone.',
    answer: 'The keys.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/keys/actions',
    operationId: 'listKeyActions',
    rpc: ['keys', 'listKeyActions'],
    summary: 'What was done to keys',
    description: 'Newest first, of deleted keys too. The records can never be changed.',
    answer: 'The actions.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/schedules',
    operationId: 'listSchedules',
    rpc: ['scheduler', 'listSchedules'],
    summary: 'Every schedule',
    description: 'Oldest first, with the day on which each was last due.',
    answer: 'The schedules.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/schedules/firings',
    operationId: 'listFirings',
    rpc: ['scheduler', 'listFirings'],
    summary: 'What has come of schedules',
    description:
      'Newest first: each trading day on which a schedule was due, and its job or why there is none.',
    answer: 'The firings.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/usage/summary',
    operationId: 'summarizeUsageAsOperator',
    rpc: ['usage', 'summarizeAllUsage'],
    summary: 'Runs of every key, counted',
    description: 'As `/api/v1/admin/usage/summary`, which needs a key with `usage:admin`.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/usage/keys',
    operationId: 'listKeyUsageAsOperator',
    rpc: ['usage', 'listKeyUsage'],
    summary: 'Runs by key',
    description: 'As `/api/v1/admin/usage/keys`, which needs a key with `usage:admin`.',
    answer: 'The keys.',
    errors: ['usage_unavailable'],
  }),
];

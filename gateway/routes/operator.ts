import Type from 'typebox';
import { jakartaDateTime } from '#shared/jakarta-time.ts';
import { named, nullable, oneOf } from '#shared/schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { serviceRoute } from './service-route.ts';

const Process = named(
  'Process',
  Type.Object(
    {
      name: Type.String({
        description: 'Name of the process, as in OPERATIONS_URLS.',
        examples: ['model-worker-1'],
      }),
      state: oneOf(['ready', 'not_ready', 'silent'], {
        description:
          'State of the process. `ready`: it serves requests. `not_ready`: it does not, and `reasons` says ' +
          'why. `silent`: it does not respond.',
      }),
      reasons: Type.Array(Type.String(), {
        description: 'Reasons the process is not ready. Empty if it is ready.',
      }),
      degraded: Type.Array(Type.String(), {
        description: 'Unavailable dependencies without which the process still serves requests.',
      }),
      version: nullable(
        Type.String(),
        'Version of the project. Null while the process is silent; the same holds for the next two fields.',
      ),
      memory_bytes: nullable(Type.Integer(), 'Resident memory, bytes.'),
      started_at: nullable(Type.String({ format: 'date-time' }), 'Time the process started.'),
    },
    { description: 'A process of the fleet, as its operations port shows it.' },
  ),
);

const ProcessList = named(
  'ProcessList',
  Type.Object({
    processes: Type.Array(Process, {
      description:
        'Processes in the order of OPERATIONS_URLS. Empty if the gateway knows no operations port.',
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
    summary: 'List processes',
    description:
      'Lists all processes and whether they are ready. The gateway queries the operations ports of all ' +
      'processes at the same time and waits at most two seconds. It knows the processes named in ' +
      '`OPERATIONS_URLS`.',
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
    summary: 'Get the queue of runs',
    description:
      'Returns how many runs are waiting and running, how long the oldest run has been waiting, and 60 ' +
      'points over the period with the number of runs, their waiting times and their durations. Covers ' +
      'the runs of all keys, including those of the operator.',
    answer: 'The queue.',
    errors: ['model_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/datasets',
    operationId: 'listDatasets',
    rpc: ['datasets', 'listDatasets'],
    summary: 'List dataset versions',
    description:
      'Lists all dataset versions, newest first, with the number of rows that each import refused, and ' +
      'names the served version.',
    answer: 'The versions.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/datasets/history',
    operationId: 'listServedDatasets',
    rpc: ['datasets', 'listServedDatasets'],
    summary: 'List served versions',
    description:
      'Lists the changes of the served dataset version, newest first, with who made each change and why.',
    answer: 'The changes.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/datasets/{version}/rejected-rows',
    operationId: 'listRejectedRows',
    rpc: ['datasets', 'listRejectedRows'],
    unknownIdCode: 'not_found',
    summary: 'List rejected rows of a dataset version',
    description:
      'Lists the rows that the import of a version refused, in file order, each with its location, the ' +
      'reason and the row as it was read.',
    answer: 'The rows.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/keys',
    operationId: 'listKeys',
    rpc: ['keys', 'listKeys'],
    summary: 'List API keys',
    description:
      'Lists all API keys except deleted ones, oldest first. Only the beginning of each secret is included.',
    answer: 'The keys.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/keys/actions',
    operationId: 'listKeyActions',
    rpc: ['keys', 'listKeyActions'],
    summary: 'List actions on API keys',
    description:
      'Lists actions on keys, including deleted keys, newest first. These records can never be changed.',
    answer: 'The actions.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/schedules',
    operationId: 'listSchedules',
    rpc: ['scheduler', 'listSchedules'],
    summary: 'List schedules',
    description: 'Lists all schedules, oldest first, with the day on which each was last due.',
    answer: 'The schedules.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/schedules/firings',
    operationId: 'listFirings',
    rpc: ['scheduler', 'listFirings'],
    summary: 'List firings of schedules',
    description:
      'Lists the trading days on which schedules were due, newest first, each with its job or the reason ' +
      'there is none.',
    answer: 'The firings.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/feed/sources',
    operationId: 'listFeedSources',
    rpc: ['feed', 'listSources'],
    summary: 'List sources of market data',
    description:
      'Lists the sources that bring trading days by themselves, in the order of their declaration, each with what it last ' +
      'brought, what it waits for and why.',
    answer: 'The sources.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/feed/fetches',
    operationId: 'listFetches',
    rpc: ['feed', 'listFetches'],
    summary: 'List fetches of market data',
    description:
      'Lists everything that was fetched from the sources, newest first: what was asked for, what came, and what became of ' +
      'it. The log is kept for `FETCH_RETENTION_DAYS`.',
    answer: 'The fetches.',
    errors: ['data_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/usage/summary',
    operationId: 'summarizeUsageAsOperator',
    rpc: ['usage', 'summarizeAllUsage'],
    summary: 'Summarize usage of all keys as the operator',
    description:
      'Counts the model runs of all keys by group, like `/api/v1/admin/usage/summary`, which needs a key ' +
      'with `usage:admin`.',
    answer: 'The counts.',
    errors: ['usage_unavailable'],
  }),
  serviceRoute({
    ...ofOperator,
    path: '/api/v1/operator/usage/keys',
    operationId: 'listKeyUsageAsOperator',
    rpc: ['usage', 'listKeyUsage'],
    summary: 'List usage by key as the operator',
    description:
      'Lists the keys that runs were submitted with, like `/api/v1/admin/usage/keys`, which needs a key ' +
      'with `usage:admin`.',
    answer: 'The keys.',
    errors: ['usage_unavailable'],
  }),
];

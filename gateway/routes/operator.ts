import Type from 'typebox';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import { named, nullable, oneOf } from '#foundation/schema.ts';
import { defineRoute } from '../routing/define-route.ts';

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

export const processesRoute = defineRoute({
  method: 'get',
  path: '/api/v1/operator/processes',
  operationId: 'listProcesses',
  tag: 'Operator',
  access: 'the operator',
  client: 'operator.processes',
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
});

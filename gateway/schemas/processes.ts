import Type from 'typebox';
import { named, nullable, oneOf } from '#shared/schema.ts';

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

export const ProcessList = named(
  'ProcessList',
  Type.Object({
    processes: Type.Array(Process, {
      description: 'In the order of OPERATIONS_URLS; none where the gateway knows no operations port.',
    }),
  }),
);

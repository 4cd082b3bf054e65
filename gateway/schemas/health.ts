import Type from 'typebox';
import type { RunPart } from '#shared/run-protocol.ts';
import { messageNamed } from '#shared/wire/descriptors.ts';
import { answerSchema } from '#shared/wire/message-schema.ts';
import { SERVICE_NAMES } from '../services.ts';
import { nullable, oneOf } from './common.ts';
import { named } from './named.ts';

const Dataset = answerSchema(messageNamed('saring.market_data.v1.Dataset'));

const state = oneOf(['up', 'down']);

const RUN_PART_DESCRIPTIONS: Record<RunPart, string> = {
  storage: 'Whether the database can write the record of a run.',
  queue: 'Whether runs can be put before the workers.',
  workers: 'Whether a worker shows that it is alive, and takes what is waiting.',
};
const runParts = Object.entries(RUN_PART_DESCRIPTIONS).map(([part, description]) => [
  part,
  oneOf(['up', 'down'], { description }),
]);

export const Health = named(
  'Health',
  Type.Object({
    status: oneOf(['ok', 'degraded'], {
      description:
        '`ok` when every service is up, the dataset that is to be served is in memory and a run can complete.',
    }),
    data_loaded: Type.Boolean({
      description:
        'Whether the dataset is in memory. While it is not, the first data request pays a load cost.',
    }),
    synthetic: nullable(
      Type.Boolean(),
      'Whether the market is a generated one. Show it to your users when it is. Null while no dataset is known.',
    ),
    synthetic_brokers: nullable(
      Type.Boolean(),
      'Whether the broker rows are generated ones. Show it to your users wherever you show brokers. Null while no ' +
        'dataset is known.',
    ),
    dataset: nullable(Dataset, 'The dataset in use; null while none is published or it cannot be asked.'),
    lost_dataset: nullable(
      Type.String(),
      'Version that is to be served and is missing from the store; null when none is. The operator chooses what takes its place.',
    ),
    services: Type.Object(
      {
        ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, state])),
        scheduler: Type.Optional(
          oneOf(['up', 'down'], {
            description: 'Runs what is scheduled; absent where the gateway does not know it.',
          }),
        ),
        model_workers: oneOf(['up', 'down'], {
          description: 'Whether any worker is alive; the same as `runs.workers`.',
        }),
      },
      { description: 'Each service behind the gateway, and those behind them.' },
    ),
    runs: Type.Object(
      {
        can_complete: Type.Boolean({
          description:
            'Whether a run that is submitted now would complete. While it would not, submissions answer 503 ' +
            '`model_unavailable`, or are accepted and complete once it can be.',
        }),
        ...Object.fromEntries(runParts),
      },
      { description: 'What a run needs beyond services that are up, as found within the last five seconds.' },
    ),
  }),
);

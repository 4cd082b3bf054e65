import Type from 'typebox';
import { SERVICE_NAMES } from '../services.ts';
import { DateTime, Day, nullable, oneOf } from './common.ts';
import { named } from './named.ts';

const Dataset = named(
  'Dataset',
  Type.Object({
    version: Type.String({ description: 'Version label.', examples: ['synthetic-20240628-1'] }),
    kind: oneOf(['real', 'synthetic'], {
      description: '`synthetic` is a generated market for trying things out: nothing in it ever traded.',
    }),
    first_date: Day('First trading day.'),
    last_date: Day('Last trading day; answers are as of this day.'),
    trading_days: Type.Integer(),
    tickers: Type.Integer(),
    bars: Type.Integer({ description: 'Number of daily bars.' }),
    broker_data: oneOf(['none', 'real', 'synthetic'], {
      description:
        'Where its broker rows come from; `synthetic` ones are generated to fit the bars, which may be real: no real ' +
        'broker traded that way.',
    }),
    broker_rows: Type.Integer({ description: 'Number of broker rows.' }),
    published_at: DateTime('When this version was published.'),
  }),
);

const state = oneOf(['up', 'down']);

export const Health = named(
  'Health',
  Type.Object({
    status: oneOf(['ok', 'degraded'], {
      description: '`ok` when every service is up and the dataset is in memory.',
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
    services: Type.Object(Object.fromEntries(SERVICE_NAMES.map((name) => [name, state])), {
      description: 'Each service behind the gateway.',
    }),
  }),
);

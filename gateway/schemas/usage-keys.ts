import Type from 'typebox';
import { DateTime } from './common.ts';
import { named } from './named.ts';

const KeyUsage = named(
  'KeyUsage',
  Type.Object(
    {
      api_key_id: Type.String({ description: 'Key id.' }),
      runs: Type.Integer({ description: 'How many runs, whatever their status.' }),
      succeeded: Type.Integer({ description: 'How many succeeded.' }),
      failed: Type.Integer({ description: 'How many failed.' }),
      end_users: Type.Integer({ description: 'How many end users.' }),
      first_run_at: DateTime('When the first of these runs was accepted.'),
      last_run_at: DateTime('When the last of these runs was accepted.'),
    },
    { description: 'The runs of one key.' },
  ),
);

export const KeyUsageList = named(
  'KeyUsageList',
  Type.Object({
    keys: Type.Array(KeyUsage, { description: 'Keys with runs, most runs first.' }),
    count: Type.Integer({ description: 'Number of keys.' }),
  }),
);

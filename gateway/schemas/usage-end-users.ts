import Type from 'typebox';
import { DateTime } from './common.ts';
import { named } from './named.ts';

const endUser = {
  end_user: Type.String({ description: 'The asserted end-user id.', examples: ['user-42'] }),
  runs: Type.Integer({ description: 'How many runs, whatever their status.' }),
  first_seen: DateTime('When the first of these runs was accepted.'),
  last_seen: DateTime('When the last of these runs was accepted.'),
  models: Type.Array(Type.String(), {
    description: 'Ids of the models used, in alphabetical order.',
    examples: [['confluence_filter', 'recovery_v4']],
  }),
};

const count = Type.Integer({ description: 'Number of end users in this answer.' });

const EndUser = named('EndUserUsage', Type.Object(endUser, { description: 'The runs of one end user.' }));

const AdminEndUser = named(
  'AdminEndUserUsage',
  Type.Object(
    { ...endUser, api_key_id: Type.String({ description: 'Id of the key the end user belongs to.' }) },
    { description: 'The runs of one end user of one key.' },
  ),
);

export const EndUserList = named(
  'EndUserList',
  Type.Object({ end_users: Type.Array(EndUser, { description: 'Last seen first.' }), count }),
);

export const AdminEndUserList = named(
  'AdminEndUserList',
  Type.Object({ end_users: Type.Array(AdminEndUser, { description: 'Last seen first.' }), count }),
);

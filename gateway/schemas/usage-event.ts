import Type from 'typebox';
import { fieldSchema } from '#shared/wire/message-schema.ts';
import { DateTime, nullable, Params } from './common.ts';
import { named } from './named.ts';
import { Summary } from './summary.ts';

const event = {
  event_id: Type.String({ description: '`ue_` followed by a hex string.' }),
  ts: DateTime('When the run was accepted.'),
  channel: Type.String({ description: '`api`, `scheduled` or a chat-channel value.' }),
  end_user: Type.String({ description: 'The asserted end-user id.' }),
  model_id: Type.String({ description: 'Model id.' }),
  params: Params('Exactly what the model received.'),
  status: fieldSchema('saring.usage.v1.UsageEvent', 'status'),
  duration_seconds: Type.Number({ description: 'From start to end, seconds; 0 while started.' }),
  summary: nullable(
    Summary,
    'What the run came to: no picks while it runs or when it did not succeed. Null when not even the day it was to ' +
      'analyse is recorded.',
  ),
  job_id: Type.String({ description: 'Job id.' }),
  request_id: Type.String({ description: 'Request id of the submission.' }),
};

export const UsageEvent = named(
  'UsageEvent',
  Type.Object(event, { description: 'One recorded model run. The full result is never recorded.' }),
);

export const AdminUsageEvent = named(
  'AdminUsageEvent',
  Type.Object(
    {
      ...event,
      api_key_id: Type.String({ description: 'Id of the key the run belongs to.' }),
      actor: Type.String({
        description:
          'Who acted through the channel: the key id for `api`, the schedule id for `scheduled`, what the channel ' +
          'named otherwise.',
      }),
    },
    { description: 'One recorded model run, with whose it is.' },
  ),
);

const page = {
  count: Type.Integer({ description: 'Number of events on this page.' }),
  next_cursor: nullable(Type.String(), 'Send it as `cursor` for the next page; null on the last one.'),
  has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
};

export const UsagePage = named(
  'UsagePage',
  Type.Object({ events: Type.Array(UsageEvent, { description: 'Newest first.' }), ...page }),
);

export const AdminUsagePage = named(
  'AdminUsagePage',
  Type.Object({ events: Type.Array(AdminUsageEvent, { description: 'Newest first.' }), ...page }),
);

import Type from 'typebox';
import { DateTime, nullable, oneOf, Params } from './common.ts';
import { named } from './named.ts';
import { Summary } from './summary.ts';

export const EVENT_STATUSES = ['started', 'succeeded', 'failed', 'interrupted'] as const;

export const UsageEvent = named(
  'UsageEvent',
  Type.Object(
    {
      event_id: Type.String({ description: '`ue_` followed by a hex string.' }),
      ts: DateTime('When the run was accepted.'),
      channel: Type.String({ description: '`api`, `scheduled` or a chat-channel value.' }),
      end_user: Type.String({ description: 'The asserted end-user id.' }),
      model_id: Type.String(),
      params: Params('Exactly what the model received.'),
      status: oneOf(EVENT_STATUSES),
      duration_seconds: Type.Number({ description: 'From start to end, seconds; 0 while started.' }),
      summary: nullable(Summary, 'What the run came to: no picks while it runs or when it did not succeed.'),
      job_id: Type.String(),
      request_id: Type.String({ description: 'Request id of the submission.' }),
    },
    { description: 'One recorded model run. The full result is never recorded.' },
  ),
);

export const UsagePage = named(
  'UsagePage',
  Type.Object({
    events: Type.Array(UsageEvent, { description: 'Newest first.' }),
    count: Type.Integer({ description: 'Number of events on this page.' }),
    next_cursor: nullable(Type.String(), 'Send it as `cursor` for the next page; null on the last one.'),
    has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
  }),
);

import Type from 'typebox';
import { END_USER_PATTERN } from '../auth/end-user.ts';
import { MOMENT_FORMS } from '../validation/moment.ts';
import type { Grouping, OwnGrouping, RecordedStatus } from '#proto/saring/wire/v1/words.ts';
import { fieldSchema } from '#shared/wire/message-schema.ts';
import { OpaqueId } from './common.ts';

/** Parameters that several usage endpoints take. */

const EndUserId = (description: string) =>
  Type.String({ pattern: END_USER_PATTERN, description, examples: ['user-42'] });

export const endUser = Type.Optional(EndUserId('Only this end user.'));

/** In a path. */
export const endUserId = EndUserId('End-user id.');

export const modelId = Type.Optional(OpaqueId('Only this model.', 'confluence_filter'));

export const status = Type.Optional(
  Type.Unsafe<RecordedStatus>(fieldSchema('saring.usage.v1.ListEventsRequest', 'status')),
);

export const since = Type.Optional(Type.String({ description: `Only runs from then on: ${MOMENT_FORMS}.` }));

export const until = Type.Optional(
  Type.String({ description: `Only runs before then: ${MOMENT_FORMS}. A date includes that whole day.` }),
);

export const eventLimit = Type.Unsafe<number>(fieldSchema('saring.usage.v1.ListEventsRequest', 'limit'));

export const endUserLimit = Type.Unsafe<number>(fieldSchema('saring.usage.v1.ListEndUsersRequest', 'limit'));

export const cursor = Type.Optional(
  Type.String({ description: '`next_cursor` of the previous page, with the same filters.' }),
);

export const apiKeyId = Type.Optional(OpaqueId('Only this key.', 'key_5f0c6f1e9a3b4d2c8e7f6a5b'));

export const channel = Type.Optional(
  Type.String({
    pattern: '^[a-z][a-z0-9_-]{0,31}$',
    description: 'Only this channel: `api`, `scheduled` or the value of a chat channel.',
    examples: ['api', 'scheduled', 'telegram'],
  }),
);

export const groupBy = Type.Unsafe<OwnGrouping>(
  fieldSchema('saring.usage.v1.SummarizeUsageRequest', 'group_by'),
);

export const groupAllBy = Type.Unsafe<Grouping>(
  fieldSchema('saring.usage.v1.SummarizeAllUsageRequest', 'group_by'),
);

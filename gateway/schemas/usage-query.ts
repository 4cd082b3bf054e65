import Type from 'typebox';
import { END_USER_PATTERN } from '../auth/end-user.ts';
import { MOMENT_FORMS } from '../http/moment.ts';
import { bounded, oneOf, OpaqueId } from './common.ts';
import { EVENT_STATUSES } from './usage-event.ts';

/** Parameters that several usage endpoints take. */

const EndUserId = (description: string) =>
  Type.String({ pattern: END_USER_PATTERN, description, examples: ['user-42'] });

export const endUser = Type.Optional(EndUserId('Only this end user.'));

/** In a path. */
export const endUserId = EndUserId('End-user id.');

export const modelId = Type.Optional(OpaqueId('Only this model.', 'confluence_filter'));

export const status = Type.Optional(oneOf(EVENT_STATUSES, { description: 'Only this status.' }));

export const since = Type.Optional(Type.String({ description: `Only runs from then on: ${MOMENT_FORMS}.` }));

export const until = Type.Optional(
  Type.String({ description: `Only runs before then: ${MOMENT_FORMS}. A date includes that whole day.` }),
);

export const eventLimit = bounded(1, 200, 50, 'Most events to answer.');

export const endUserLimit = bounded(1, 1_000, 200, 'Most end users to answer.');

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

/** What a summary can count runs by, `model` when nothing is asked for. */
export function groupBy<Grouping extends string>(groupings: readonly Grouping[]) {
  return oneOf(groupings, { default: 'model', description: 'What to count runs by.' });
}

import { oneOf } from './common.ts';

/** Where the broker rows behind an answer come from. */
export const BrokerData = oneOf(['none', 'real', 'synthetic'], {
  description:
    'Where the broker rows behind this answer come from: `none` when nothing in it rests on any, `real`, or ' +
    '`synthetic`: generated to fit the day’s totals, and to be shown as such, because no real broker traded that way.',
});

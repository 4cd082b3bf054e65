import Type from 'typebox';
import { Day } from './common.ts';
import { named } from './named.ts';

export const Summary = named(
  'RunSummary',
  Type.Object(
    {
      pick_count: Type.Integer({ description: 'Number of picks; for recovery_v4 the number of positions.' }),
      tickers: Type.Array(Type.String(), { description: 'Their tickers, best first.' }),
      target_date: Day('Trading day analysed; on a job that did not succeed, the day it was to analyse.'),
    },
    {
      description:
        'What a finished run came to, in short. Kept when the full result is gone. A job that was cancelled before a ' +
        'worker took it has none.',
    },
  ),
);

import Type from 'typebox';
import { fieldNamed, rulesOf } from '#shared/wire/descriptors.ts';
import { DateTime, nullable, oneOf } from './common.ts';
import { named } from './named.ts';

const wordsOf = (typeName: string) => rulesOf(fieldNamed(typeName, 'group_by')).words;

const row = {
  key: Type.String({
    description: 'What the runs have in common; for `day` the day in Asia/Jakarta, YYYY-MM-DD.',
    examples: ['confluence_filter'],
  }),
  runs: Type.Integer({ description: 'How many, whatever their status.' }),
  succeeded: Type.Integer({ description: 'How many succeeded.' }),
  failed: Type.Integer({ description: 'How many failed.' }),
  avg_duration_seconds: nullable(
    Type.Number(),
    'Mean seconds from start to end of those that have ended; null when none has.',
  ),
  last_run_at: DateTime('When the newest was accepted.'),
};

const total_runs = Type.Integer({ description: 'Runs of all groups, also of those left out of `rows`.' });
const ROWS = 'Most runs first; days newest first. The first 1,000.';

const SummaryRow = named('UsageSummaryRow', Type.Object(row, { description: 'The runs of one group.' }));

const AdminSummaryRow = named(
  'AdminUsageSummaryRow',
  Type.Object(
    {
      ...row,
      api_key_id: Type.Optional(
        Type.String({
          description: 'The key that an end user belongs to; only in rows of `group_by=end_user`.',
        }),
      ),
    },
    { description: 'The runs of one group.' },
  ),
);

export const UsageSummary = named(
  'UsageSummary',
  Type.Object({
    group_by: oneOf(wordsOf('saring.usage.v1.SummarizeUsageRequest'), { description: 'As asked for.' }),
    total_runs,
    rows: Type.Array(SummaryRow, { description: ROWS }),
  }),
);

export const AdminUsageSummary = named(
  'AdminUsageSummary',
  Type.Object({
    group_by: oneOf(wordsOf('saring.usage.v1.SummarizeAllUsageRequest'), { description: 'As asked for.' }),
    total_runs,
    rows: Type.Array(AdminSummaryRow, { description: ROWS }),
  }),
);

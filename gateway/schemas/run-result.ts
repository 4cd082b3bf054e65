import Type from 'typebox';
import { CombinedCompactResult, CombinedResult } from './results/combined.ts';
import { ConfluenceFilterResult } from './results/confluence-filter.ts';
import { GannClassicResult } from './results/gann-classic.ts';
import { GrossAlphaResult } from './results/gross-alpha.ts';
import { RecoveryCompactResult, RecoveryResult } from './results/recovery.ts';
import { RegimeAdaptiveResult } from './results/regime-adaptive.ts';

/** What a run may come to: by its model and its view, as `model_id` and `view` say. */
export const RunResult = Type.Union(
  [
    RegimeAdaptiveResult,
    GannClassicResult,
    GrossAlphaResult,
    ConfluenceFilterResult,
    RecoveryResult,
    RecoveryCompactResult,
    CombinedResult,
    CombinedCompactResult,
  ],
  {
    description:
      'Only when `source` is `live` and `status` is `succeeded`, and never in lists. Its shape depends on the model ' +
      'and on the view, as its members `model_id` and `view` say.',
  },
);

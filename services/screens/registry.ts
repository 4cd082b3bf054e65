import { combined } from './combined/model.ts';
import { confluenceFilter } from './confluence-filter/model.ts';
import { gannClassic } from './gann-classic/model.ts';
import { grossAlpha } from './gross-alpha/model.ts';
import type { Model } from './model.ts';
import { recovery } from './recovery/model.ts';
import { regimeAdaptive } from './regime-adaptive/model.ts';

/** Every published model, in the order in which they are listed. */
export const MODELS: readonly Model[] = [
  regimeAdaptive,
  gannClassic,
  grossAlpha,
  confluenceFilter,
  recovery,
  combined,
];

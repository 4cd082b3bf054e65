import { ServiceError } from '#shared/service-error.ts';
import { confluenceFilter } from './confluence-filter.ts';
import { gannClassicV7 } from './gann-classic-v7.ts';
import { grossAlphaV10 } from './gross-alpha-v10.ts';
import type { ModelDefinition } from './model-definition.ts';
import { modelFCombined } from './model-f-combined.ts';
import { recoveryV4 } from './recovery-v4.ts';
import { regimeAdaptiveV6 } from './regime-adaptive-v6.ts';

/** Every published model, in the order of the contract. */
export const CATALOGUE: readonly ModelDefinition[] = [
  regimeAdaptiveV6,
  gannClassicV7,
  grossAlphaV10,
  confluenceFilter,
  recoveryV4,
  modelFCombined,
];

const BY_ID = new Map(CATALOGUE.map((model) => [model.id, model]));

/** @throws ServiceError model_not_found for an id that is not published. */
export function modelOf(id: string): ModelDefinition {
  const model = BY_ID.get(id);
  if (!model) throw new ServiceError('model_not_found', 'There is no such model.');
  return model;
}

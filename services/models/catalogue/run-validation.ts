import { cutText } from '#shared/text/cut-text.ts';
import { invalidRequest } from '#shared/invalid-request.ts';
import type { Model } from '#screens/model.ts';
import { modelOf } from './catalogue.ts';
import { completeParams, type Params } from './parameters.ts';

const MAX_ECHOED_LENGTH = 40;

/** What a run is asked to be, before anything is known of its caller. */
export interface RunInput {
  model_id: string;
  params?: Params | undefined;
  view: string;
}

/**
 * The parameters such a run uses, defaults filled in.
 * @throws ServiceError model_not_found or invalid_request
 */
export function validatedParams({ model_id, params, view }: RunInput): Params {
  const model = modelOf(model_id);
  refuseUnknownView(model, view);
  return completeParams(model, params);
}

function refuseUnknownView(model: Model, view: string): void {
  if (model.views.some((known) => known === view)) return;
  const msg = `must be ${model.views.join(' or ')} for ${model.id}`;
  const [input, ctx] = [cutText(view, MAX_ECHOED_LENGTH), { expected: [...model.views] }];
  throw invalidRequest([{ loc: ['query', 'view'], msg, type: 'enum', input, ctx }]);
}

import { messageNamed } from '#shared/wire/descriptors.ts';
import { responseSchema } from '#shared/wire/message-schema.ts';
import Type from 'typebox';
import { MODELS } from '#models/registry.ts';

const results = await Promise.all(
  MODELS.map(async (model) => Object.values((await model.results()).results)),
);

/** The result of a run. Its shape depends on `model_id` and `view`. */
export const RunResult = Type.Union(results.flat(), {
  description:
    'Result of the run. Present only if `source` is `live` and `status` is `succeeded`, and never in ' +
    'lists. Its shape depends on the model and the view, which are in its members `model_id` and `view`.',
});

/** What is known of the worth of the model's picks. Beside the result and not in it: a result never changes. */
const Evidence = responseSchema(messageNamed('saring.models.v1.Evidence'));

/** A job with its result, whose schema the models declare. */
export const Job = responseSchema(messageNamed('saring.models.v1.Job'), {
  others: { evidence: Type.Optional(Evidence), result: RunResult },
});

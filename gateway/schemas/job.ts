import { messageNamed } from '#platform/wire/descriptors.ts';
import { responseSchema } from '#platform/wire/message-schema.ts';
import Type from 'typebox';
import { Freshness, nullable } from './common.ts';
import { MODELS } from '#models/registry.ts';
import { simulation } from '#models/simulation/simulation.ts';

const results = await Promise.all(
  MODELS.map(async (model) => Object.values((await model.results()).results)),
);

const RESULT =
  'Result of the run. Present only if `source` is `live` and `status` is `succeeded`, and never in ' +
  'lists. Its shape depends on the model and the view, which are in its members `model_id` and `view`.';

/** The result of a run of a model. Its shape depends on `model_id` and `view`. */
export const RunResult = Type.Union(results.flat(), { description: RESULT });

/** The same, or the result of a simulation. */
const JobResult = Type.Union([...results.flat(), ...Object.values((await simulation.results()).results)], {
  description: `${RESULT} Of a simulation, \`model_id\` is \`${simulation.id}\`.`,
});

/** What is known of the worth of the model's picks. Beside the result and not in it: a result never changes. */
const Evidence = responseSchema(messageNamed('saring.models.v1.Evidence'));

/** Beside the result and not in it, like the evidence. */
const JobFreshness = nullable(
  Freshness,
  'How fresh the market is that the run reads or has read, at the moment of the response. Null if another dataset version has ' +
    'replaced it since, or the served version is not known. Never in lists.',
);

/** A job with its result, whose schema the models declare. */
export const Job = responseSchema(messageNamed('saring.models.v1.Job'), {
  others: { freshness: JobFreshness, evidence: Type.Optional(Evidence), result: JobResult },
});

/** The 202 response with a job: its description, and where the job is polled. A run of defaults takes about a second. */
export function acceptedJob(description: string) {
  return { description, schema: Job, polling: { path: '/api/v1/jobs/{job_id}', afterSeconds: 1 } };
}

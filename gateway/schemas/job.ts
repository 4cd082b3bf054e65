import { messageNamed } from '#shared/wire/descriptors.ts';
import { answerSchema } from '#shared/wire/message-schema.ts';
import { RunResult } from './run-result.ts';

/** A job with its result, which the models declare. */
export const Job = answerSchema(messageNamed('saring.models.v1.Job'), { others: { result: RunResult } });

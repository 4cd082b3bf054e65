import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { ValidateFunction } from 'ajv';
import { refuse, tooManyTickers } from '#foundation/errors/invalid-request.ts';
import { distinctCodes } from '#foundation/text/codes.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';
import { newAjv, fieldErrors, onePerPlace } from './field-errors.ts';
import { rulesOf } from './descriptors.ts';
import { isTimestamp, rulesSchema } from './message-schema.ts';
import { textMistakes } from './text-mistakes.ts';

const ajv = newAjv();

/**
 * A function that refuses a request that breaks the rules of its message, or has a text that no message may have, as the gateway
 * does for REST. Undefined for a message without fields. The function throws a ServiceError: invalid_request or too_many_tickers.
 */
export function requestCheck(message: DescMessage): ((request: object) => void) | undefined {
  if (message.fields.length === 0) return undefined;
  const schema = rulesSchema(message);
  const limited = message.fields.filter((field) => rulesOf(field).max_distinct !== undefined);
  const moments = message.fields.filter(isTimestamp);
  const anyText = new Set(message.fields.filter((field) => rulesOf(field).any_text).map(({ name }) => name));
  let validate: ValidateFunction | undefined;
  return (request) => {
    const mistakes = moments.flatMap((field) => badMoment(field, request));
    // Compiled on first use: most processes never get calls for most of their methods.
    if (schema) validate ??= ajv.compile(schema);
    if (validate && !validate(request)) mistakes.push(...fieldErrors(validate.errors ?? [], []));
    for (const [name, value] of Object.entries(request))
      if (!anyText.has(name)) mistakes.push(...textMistakes(value, [name]));
    refuse(onePerPlace(mistakes));
    for (const field of limited) refuseTooMany(field, request);
  };
}

/** A timestamp can hold moments that a Date cannot. */
function badMoment({ name }: DescField, request: object): FieldError[] {
  const moment = (request as Record<string, Date | undefined>)[name];
  if (!moment || !Number.isNaN(moment.getTime())) return [];
  return [{ loc: [name], msg: 'is not a valid time', type: 'datetime_parsing' }];
}

/** Texts that differ only in case or surrounding spaces count as one. */
function refuseTooMany(field: DescField, request: object): void {
  const max = rulesOf(field).max_distinct!;
  const texts = (request as Record<string, string[]>)[field.name]!;
  const different = distinctCodes(texts).length;
  if (different > max) throw tooManyTickers({ loc: [field.name], input: texts, max, actual: different });
}

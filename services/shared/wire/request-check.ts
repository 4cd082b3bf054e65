import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { ValidateFunction } from 'ajv';
import { refuse, tooManyTickers } from '../invalid-request.ts';
import { distinctCodes } from '../text/codes.ts';
import type { FieldError } from '../service-error.ts';
import { newAjv, fieldErrors } from './field-errors.ts';
import { rulesOf } from './descriptors.ts';
import { isTimestamp, rulesSchema } from './message-schema.ts';

type RequestCheck = (request: object) => void;

const ajv = newAjv();

/**
 * A function that refuses a request that breaks the rules of its message, as the gateway does for REST. Undefined when there
 * are no rules. The function throws a ServiceError: invalid_request or too_many_tickers.
 */
export function requestCheck(message: DescMessage): RequestCheck | undefined {
  const schema = rulesSchema(message);
  const limited = message.fields.filter((field) => rulesOf(field).max_distinct !== undefined);
  const moments = message.fields.filter(isTimestamp);
  if (!schema && moments.length === 0) return undefined;
  let validate: ValidateFunction | undefined;
  return (request) => {
    const mistakes = moments.flatMap((field) => badMoment(field, request));
    // Compiled on first use: most processes never get calls for most of their methods.
    if (schema) validate ??= ajv.compile(schema);
    if (validate && !validate(request)) mistakes.push(...fieldErrors(validate.errors ?? [], []));
    refuse(mistakes);
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

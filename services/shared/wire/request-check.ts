import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { ValidateFunction } from 'ajv';
import { refuse } from '../invalid-request.ts';
import { ServiceError, type FieldError } from '../service-error.ts';
import { newAjv, fieldErrors } from './field-errors.ts';
import { rulesOf } from './descriptors.ts';
import { isTimestamp, rulesSchema } from './message-schema.ts';

type RequestCheck = (request: object) => void;

const ajv = newAjv();

/**
 * What refuses a request that breaks the rules of its message, as the gateway refuses one that comes over REST; undefined
 * where there are none. It throws a ServiceError: invalid_request, or too_many_tickers.
 */
export function requestCheck(message: DescMessage): RequestCheck | undefined {
  const schema = rulesSchema(message);
  const limited = message.fields.filter((field) => rulesOf(field).max_distinct !== undefined);
  const moments = message.fields.filter(isTimestamp);
  if (!schema && moments.length === 0) return undefined;
  let validate: ValidateFunction | undefined;
  return (request) => {
    const mistakes = moments.flatMap((field) => badMoment(field, request));
    // Compiled when it is first needed: most processes are never called by most of their methods.
    if (schema) validate ??= ajv.compile(schema);
    if (validate && !validate(request)) mistakes.push(...fieldErrors(validate.errors ?? [], []));
    refuse(mistakes);
    for (const field of limited) refuseTooMany(field, request);
  };
}

/** A timestamp can hold what a Date cannot. */
function badMoment({ name }: DescField, request: object): FieldError[] {
  const moment = (request as Record<string, Date | undefined>)[name];
  if (!moment || !Number.isNaN(moment.getTime())) return [];
  return [{ loc: [name], msg: 'is no moment in time', type: 'datetime_parsing' }];
}

/** Texts that differ in case alone, or in spaces around them, are one. */
function refuseTooMany(field: DescField, request: object): void {
  const max = rulesOf(field).max_distinct!;
  const texts = (request as Record<string, string[]>)[field.name]!;
  const different = new Set(texts.map((text) => text.trim().toUpperCase())).size;
  if (different <= max) return;
  const ctx = { max_length: max, actual_length: different };
  const msg = `must name at most ${max} tickers`;
  throw new ServiceError('too_many_tickers', `At most ${max} tickers a call, got ${different}.`, {
    detail: [{ loc: [field.name], msg, type: 'too_long', input: texts, ctx }],
  });
}

import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Request } from 'express';
import Type, { type TSchema } from 'typebox';
import { ServiceError, type FieldError } from '#shared/service-error.ts';
import type { Route } from './define-route.ts';
import { queryValues } from './query-values.ts';
import { fieldErrors } from './validation-messages.ts';

/** More mistakes than this are counted, not listed. */
const MAX_LISTED = 20;
const MAX_IN_MESSAGE = 5;

const NOTHING = Type.Object({}, { additionalProperties: false });

export interface RouteInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** A new Ajv with the settings of every validation here; tests use it for responses too. */
export function newAjv(): Ajv {
  const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv;
}

/** Compiles a route's schemas. The function it returns gives the inputs with defaults filled in, or throws once. */
export function inputValidator(route: Route, ajv: Ajv): (req: Request, body: unknown) => RouteInput {
  const querySchema = route.query ?? NOTHING;
  const compile = (schema: TSchema | undefined) => schema && ajv.compile(schema);
  const [checkParams, checkBody] = [compile(route.params), compile(route.body)];
  const checkQuery = ajv.compile(querySchema);
  return (req, body) => {
    if (checkParams && !checkParams(req.params)) throw unknownId(route);
    const mistakes: FieldError[] = [];
    const query = queryValues(querySchema, req.query, mistakes);
    collect(checkQuery, query, 'query', mistakes);
    if (checkBody) collect(checkBody, body, 'body', mistakes);
    if (mistakes.length > 0) throw invalidRequest(mistakes);
    return { params: req.params, query, body };
  };
}

/** The error for mistakes in the input; its message names each field and what is allowed. */
export function invalidRequest(mistakes: FieldError[]): ServiceError {
  const named = mistakes.slice(0, MAX_IN_MESSAGE).map(({ loc, msg }) => `${nameOf(loc)}: ${msg}`);
  if (mistakes.length > MAX_IN_MESSAGE) named.push(`and ${mistakes.length - MAX_IN_MESSAGE} more`);
  return new ServiceError('invalid_request', named.join('; '), { detail: mistakes.slice(0, MAX_LISTED) });
}

function collect(check: ValidateFunction, value: unknown, part: string, mistakes: FieldError[]): void {
  if (!check(value)) mistakes.push(...fieldErrors(check.errors ?? [], part));
}

function nameOf(loc: FieldError['loc']): string {
  return loc.length > 1 ? loc.slice(1).join('.') : String(loc[0]);
}

function unknownId(route: Route): ServiceError {
  return new ServiceError(route.unknownIdCode ?? 'not_found', 'Nothing has this id.');
}

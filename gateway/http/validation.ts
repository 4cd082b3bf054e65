import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Request } from 'express';
import Type, { type TSchema } from 'typebox';
import { refuse } from '#shared/invalid-request.ts';
import { ServiceError, type FieldError } from '#shared/service-error.ts';
import type { Route } from './define-route.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { queryValues } from './query-values.ts';
import { fieldErrors } from './validation-messages.ts';

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
    if (route.takesIdempotencyKey) req.context.idempotencyKey = idempotencyKeyOf(req, mistakes);
    refuse(mistakes);
    return { params: req.params, query, body };
  };
}

function collect(check: ValidateFunction, value: unknown, part: string, mistakes: FieldError[]): void {
  if (!check(value)) mistakes.push(...fieldErrors(check.errors ?? [], part));
}

function unknownId(route: Route): ServiceError {
  return new ServiceError(route.unknownIdCode ?? 'not_found', 'Nothing has this id.');
}

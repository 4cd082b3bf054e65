import { unescape } from 'node:querystring';
import type { ValidateFunction } from 'ajv';
import type { Request } from 'express';
import Type, { type TObject } from 'typebox';
import { idempotencyKeyMistake } from '#platform/wire/idempotency.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import { fieldErrors, newAjv, onePerPlace } from '#platform/wire/field-errors.ts';
import { textMistakes } from '#platform/wire/text-mistakes.ts';
import type { DeclaredRoute } from '../declarations/route.ts';

const WHOLE_NUMBER = /^-?\d{1,16}$/;
/** Allows any number that a program writes. A value too large for a number becomes infinite and is refused. */
const DECIMAL = /^-?\d{1,25}(\.\d{1,25})?([eE][+-]?\d{1,3})?$/;

/**
 * Converts query values to the types of their schema. Numbers must be in decimal notation: `0x10`, ` 5 ` and an
 * empty value stay text and fail validation. A repeated parameter is a mistake, since either value could be meant.
 */
function queryValues(
  schema: TObject,
  query: Record<string, unknown>,
  mistakes: FieldError[],
): Record<string, unknown> {
  // Without a prototype, `__proto__` is an ordinary name.
  const values = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) {
      mistakes.push({ loc: ['query', name], msg: 'must be given only once', type: 'multiple_values' });
    }
    const text: unknown = Array.isArray(value) ? value[0] : value;
    const property: { type?: string } | undefined = schema.properties[name];
    values[name] = typeof text === 'string' ? typed(text, property?.type) : text;
  }
  return values;
}

function typed(text: string, type: string | undefined): unknown {
  if (type === 'integer' && WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text)))
    return Number(text);
  if (type === 'number' && DECIMAL.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * The mistakes of query parameters that are not valid percent-encoding, or not UTF-8. They are read leniently and would become a value
 * that nobody sent, which is usually one that nothing has.
 */
export function undecodable({ originalUrl }: Pick<Request, 'originalUrl'>): FieldError[] {
  const start = originalUrl.indexOf('?');
  if (start < 0 || !originalUrl.includes('%', start)) return [];
  return originalUrl
    .slice(start + 1)
    .split('&')
    .filter((parameter) => !isDecodable(parameter))
    .map((parameter) => ({
      loc: ['query', unescape(parameter.split('=', 1)[0]!.replaceAll('+', ' '))],
      msg: 'is not valid percent-encoding of UTF-8',
      type: 'value_error',
    }));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const LOC = ['header', 'Idempotency-Key'];

/** The Idempotency-Key of the request. Its mistakes are added to `mistakes`. */
function idempotencyKeyOf(req: Request, mistakes: FieldError[]): string | undefined {
  const [key, ...others] = req.headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return undefined;
  const mistake: FieldError | undefined =
    others.length > 0
      ? { loc: LOC, msg: 'must be given only once', type: 'multiple_values' }
      : idempotencyKeyMistake(key, LOC);
  if (mistake) mistakes.push(mistake);
  return key;
}

const NOTHING = Type.Object({}, { additionalProperties: false });

export interface RouteInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** Of the response cache, once it is known. */
  responseKey?: string;
}

const ajv = newAjv();

interface CompiledSchemas {
  params: ValidateFunction | undefined;
  query: ValidateFunction;
  body: ValidateFunction | undefined;
}

/**
 * A function that gives the inputs with defaults filled in, or throws. It compiles the schemas at its first request: those of all
 * routes together take a tenth of a second of every start.
 */
export function inputValidator(route: DeclaredRoute): (req: Request, body: unknown) => RouteInput {
  const querySchema = route.query ?? NOTHING;
  let compiled: CompiledSchemas | undefined;
  return (req, body) => {
    const check = (compiled ??= {
      params: route.params && ajv.compile(route.params),
      query: ajv.compile(querySchema),
      body: route.body && ajv.compile(route.body),
    });
    if (check.params && !check.params(req.params))
      throw new ServiceError(route.unknownIdCode ?? 'not_found', 'Nothing has this id.');
    const mistakes = undecodable(req);
    const query = queryValues(querySchema, req.query, mistakes);
    collect(check.query, query, 'query', mistakes);
    if (check.body) collect(check.body, body, 'body', mistakes);
    // Half of a surrogate pair becomes another character on the way to the services. They find all others in the query too.
    mistakes.push(...textMistakes(body, ['body']));
    if (route.takesIdempotencyKey) req.context.idempotencyKey = idempotencyKeyOf(req, mistakes);
    refuse(onePerPlace(mistakes));
    return { params: req.params, query, body };
  };
}

function collect(check: ValidateFunction, value: unknown, part: string, mistakes: FieldError[]): void {
  if (!check(value)) mistakes.push(...fieldErrors(check.errors ?? [], [part]));
}

/**
 * Adds the part of the request to the mistakes of a service. The service names only the field, but a client needs to
 * know where it sent it.
 */
export function placingMistakes<T>(route: DeclaredRoute, work: () => T | Promise<T>): T | Promise<T> {
  const place = (thrown: unknown): never => {
    if (!(thrown instanceof ServiceError) || thrown.detail.length === 0) throw thrown;
    const detail = thrown.detail.map((mistake) => placed(route, mistake));
    throw new ServiceError(thrown.code, thrown.message, { detail, cause: thrown.cause });
  };
  try {
    const done = work();
    return done instanceof Promise ? done.catch(place) : done;
  } catch (thrown) {
    return place(thrown);
  }
}

function placed({ params, query, body, fieldNames }: DeclaredRoute, mistake: FieldError): FieldError {
  const parts = { path: params, query, body: body as TObject | undefined };
  const [field = '', ...within] = mistake.loc;
  const name = fieldNames?.[field] ?? field;
  const part = Object.entries(parts).find(([, schema]) => Object.hasOwn(schema?.properties ?? {}, name));
  return part ? { ...mistake, loc: [part[0], name, ...within] } : mistake;
}

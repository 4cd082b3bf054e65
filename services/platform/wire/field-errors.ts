import { type ErrorObject, type Options, Ajv } from 'ajv';
import type { FieldError, FieldErrorType } from '#foundation/errors/service-error.ts';
import { MOMENT_FORMS, MOMENT_FORMATS, momentOf } from './moment.ts';
import addFormats from 'ajv-formats';
import { isCalendarDay } from '#foundation/jakarta-time.ts';

interface SchemaPart {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  /** What the pattern requires, in words. */
  $comment?: string;
  properties?: Record<string, SchemaPart>;
}

type AjvError = ErrorObject<string, Record<string, unknown>>;

/** Stable names of the kinds of mistakes, the schema limit that goes into `ctx`, and its name there. */
const KINDS: Record<string, { type: FieldErrorType; limit?: string; as?: string }> = {
  enum: { type: 'enum', limit: 'allowedValues', as: 'expected' },
  const: { type: 'enum', limit: 'allowedValue', as: 'expected' },
  minimum: { type: 'greater_than_equal', limit: 'limit', as: 'ge' },
  maximum: { type: 'less_than_equal', limit: 'limit', as: 'le' },
  minLength: { type: 'string_too_short', limit: 'limit', as: 'min_length' },
  maxLength: { type: 'string_too_long', limit: 'limit', as: 'max_length' },
  minItems: { type: 'too_short', limit: 'limit', as: 'min_length' },
  maxItems: { type: 'too_long', limit: 'limit', as: 'max_length' },
  pattern: { type: 'string_pattern_mismatch', limit: 'pattern', as: 'pattern' },
};

/** The kind of mistake for a value that does not have the type in its schema. */
const TYPES: Record<string, FieldErrorType> = {
  integer: 'int_type',
  number: 'float_type',
  boolean: 'bool_type',
  string: 'string_type',
  array: 'list_type',
  object: 'dict_type',
};

/** What the format of a text requires, and the kind of mistake for other texts. */
const FORMATS: Record<string, { words: string; type: FieldErrorType }> = {
  date: { words: 'a date as YYYY-MM-DD', type: 'date_parsing' },
  'trading-date': { words: 'a date as YYYY-MM-DD, or today', type: 'date_parsing' },
  moment: { words: MOMENT_FORMS, type: 'datetime_parsing' },
  'moment-through-day': { words: MOMENT_FORMS, type: 'datetime_parsing' },
};

/**
 * Converts Ajv's errors to the contract's shape: one for each location, with what is allowed there. `place` is put before the
 * path within the value: the part of a REST request, or nothing for a message.
 */
export function fieldErrors(errors: AjvError[], place: string[]): FieldError[] {
  return onePerPlace(errors.map((error) => fieldError(error, place)));
}

/** The first mistake of each location. */
export function onePerPlace(mistakes: FieldError[]): FieldError[] {
  return [...Map.groupBy(mistakes, ({ loc }) => loc.join('/')).values()].map(([first]) => first!);
}

function fieldError(error: AjvError, place: string[]): FieldError {
  const path = error.instancePath.split('/').slice(1).map(unescaped);
  const schema = (error.parentSchema ?? {}) as SchemaPart;
  if (error.keyword === 'required') {
    const name = error.params['missingProperty'] as string;
    const allowed = allowedBy(schema.properties?.[name] ?? {});
    return { loc: [...place, ...path, name], msg: `is required: ${allowed}`, type: 'missing' };
  }
  if (error.keyword === 'additionalProperties') {
    const name = error.params['additionalProperty'] as string;
    const input = (error.data as Record<string, unknown>)[name];
    const allowed = Object.keys(schema.properties ?? {});
    return {
      loc: [...place, ...path, name],
      msg:
        allowed.length > 0
          ? `is not known here; allowed: ${allowed.join(', ')}`
          : 'is not known here; nothing is allowed',
      type: 'extra_forbidden',
      input,
      ctx: { allowed },
    };
  }
  if (error.keyword === 'format') {
    const msg = `must be ${allowedBy(schema)}`;
    const type = FORMATS[schema.format ?? '']?.type ?? 'value_error';
    return { loc: [...place, ...path], msg, type, input: error.data };
  }
  const kind = KINDS[error.keyword] ?? { type: TYPES[String(schema.type)] ?? 'value_error' };
  const ctx = kind.limit && kind.as ? { [kind.as]: error.params[kind.limit] } : {};
  return {
    loc: [...place, ...path],
    msg: `must be ${allowedBy(schema)}`,
    type: kind.type,
    input: error.data,
    ctx,
  };
}

/** The allowed values, in words. */
function allowedBy(schema: SchemaPart): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const format = FORMATS[schema.format ?? ''];
  if (format) return format.words;
  if (schema.$comment) return schema.$comment;
  if (schema.pattern) return `text of the form ${schema.pattern}`;
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${range(schema.minimum, schema.maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return `text${size(schema.minLength, schema.maxLength, 'characters')}`;
    case 'array':
      return `a list${size(schema.minItems, schema.maxItems, 'items')}`;
    case 'object':
      return 'an object';
    default:
      return Array.isArray(schema.type) ? `one of the types ${schema.type.join(', ')}` : 'another value';
  }
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

function size(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) return ` of ${min} to ${max} ${unit}`;
  if (min === 1) return ' that is not empty';
  if (min !== undefined) return ` of at least ${min} ${unit}`;
  return max === undefined ? '' : ` of at most ${max} ${unit}`;
}

/** Decodes a step of a JSON pointer, which escapes `/` and `~`. List positions become numbers. */
function unescaped(step: string): string | number {
  if (/^\d+$/.test(step)) return Number(step);
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Schemas are written here, and tests check them: compiling the schema of schemas would take a twentieth of a second in each process
 * that compiles any.
 */
export const TRUSTED_SCHEMAS: Options = { meta: false, validateSchema: false };

/** A new Ajv with the settings for validating requests. Tests also use it for answers. */
export function newAjv(options: Options = TRUSTED_SCHEMAS): Ajv {
  const common = { allErrors: true, verbose: true, useDefaults: true, allowUnionTypes: true };
  const ajv = new Ajv({ ...common, ...options });
  addFormats.default(ajv, { keywords: false });
  ajv.addFormat('trading-date', (text) => text === 'today' || isCalendarDay(text));
  for (const format of MOMENT_FORMATS) ajv.addFormat(format, (text) => momentOf(format, text) !== undefined);
  return ajv;
}

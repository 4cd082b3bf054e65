import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Model } from '#models/model/model.ts';
import { TRADING_DAY, type Item, type Parameter } from '#models/inputs/parameters.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { invalidRequest, refuse } from '#foundation/errors/invalid-request.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import { TRUSTED_SCHEMAS } from '#platform/wire/field-errors.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';
import { modelOf, typeOf, type ParameterType } from './catalogue.ts';

export type Params = Record<string, unknown>;

/** A mistake in a parameter, with its location inside the parameter. */
type Mistake = Pick<FieldError, 'msg' | 'type' | 'ctx'> & { path?: FieldError['loc'] };

const MAX_NAME_LENGTH = 40;
const MAX_ECHOED_LENGTH = 100;
/** Unknown members reported per item. More would crowd the other mistakes out of the error. */
const MAX_UNKNOWN_MEMBERS = 3;

const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, ...TRUSTED_SCHEMAS })
  .addVocabulary(['label', 'meaning', 'mistake', 'notExactlyOne'])
  .addFormat(TRADING_DAY, (text) => text === 'today' || isCalendarDay(text));
const compiled = new WeakMap<Model, ValidateFunction>();

/** The requested run, without anything about its caller. */
interface RunInput {
  model_id: string;
  params?: Params | undefined;
  view: string;
}

/**
 * The complete parameters of the run, with defaults filled in.
 * @throws ServiceError model_not_found or invalid_request
 */
export function validatedParams({ model_id, params, view }: RunInput): Params {
  const model = modelOf(model_id);
  refuseUnknownView(model, view);
  return completeParams(model, params);
}

/**
 * The complete parameters of a run that is repeated unattended. Also refuses parameters with which every run fails.
 * @throws ServiceError as {@link validatedParams}
 */
export function hopefulParams(run: RunInput): Params {
  const params = validatedParams(run);
  const hopeless = modelOf(run.model_id).whyHopeless?.(params);
  if (!hopeless) return params;
  const { parameter, mistake } = hopeless;
  const msg = `${mistake}; otherwise every run fails`;
  throw invalidRequest([{ loc: ['body', 'params', parameter], msg, type: 'value_error' }]);
}

/** Whether a run with these complete parameters trains a model, unless one is cached. */
export function learnsWith(model_id: string, params: Params): boolean {
  return modelOf(model_id).learnsFrom?.(params) !== undefined;
}

function refuseUnknownView(model: Model, view: string): void {
  if (model.views.some((known) => known === view)) return;
  const msg = `must be ${model.views.join(' or ')} for ${model.id}`;
  const [input, ctx] = [cutText(view, MAX_NAME_LENGTH), { expected: [...model.views] }];
  throw invalidRequest([{ loc: ['query', 'view'], msg, type: 'enum', input, ctx }]);
}

/**
 * Checks parameters against the model's schema and fills in defaults, in the order of the schema. A parameter whose default is
 * null stays out if it is not sent. Array defaults are
 * copied, so that no run can change the default of another.
 * @throws ServiceError invalid_request with every mistake in `detail`.
 */
export function completeParams(model: Model, given: Params = {}): Params {
  const params = Object.fromEntries(
    Object.entries(model.params).flatMap(([name, parameter]) => {
      const isGiven = Object.hasOwn(given, name);
      const value = isGiven ? withoutNulls(parameter, given[name]) : structuredClone(parameter.default);
      return value === null && parameter.default === null ? [] : [[name, value]];
    }),
  );
  refuse(unknownNames(model, given), wrongValues(model, params));
  return params;
}

/** Drops declared members that are null from the objects of a list. Null counts as not sent. */
function withoutNulls({ items }: Parameter, value: unknown): unknown {
  const { properties } = items ?? {};
  if (!properties || !Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (!isObject(item)) return item;
    const members = Object.entries(item);
    return Object.fromEntries(
      members.filter(([name, member]) => member !== null || !Object.hasOwn(properties, name)),
    );
  });
}

/** Only the first mistake lists the valid names. Repeating the list would crowd the other mistakes out of the error. */
function unknownNames(model: Model, given: Params): FieldError[] {
  const valid = Object.keys(model.params);
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(model.params, name))
    .map((name, index) => ({
      loc: ['body', 'params', cutText(name, MAX_NAME_LENGTH)],
      msg: `is not a parameter of ${model.id}${index === 0 ? `; its parameters are ${valid.join(', ')}` : ''}`,
      type: 'extra_forbidden',
      ...(index === 0 && { ctx: { valid } }),
    }));
}

/** In the order of the schema, because Ajv checks parameters in that order. */
function wrongValues(model: Model, params: Params): FieldError[] {
  const check = compiled.get(model) ?? ajv.compile({ type: 'object', properties: model.params });
  compiled.set(model, check);
  if (check(params)) return [];
  const byName = Map.groupBy(check.errors ?? [], (error) => pathOf(error)[0]!);
  return [...byName].flatMap(([name, errors]) => {
    const parameter = model.params[name]!;
    const input = echo(params[name]);
    return mistakesOf(parameter, errors).map(({ path = [], msg, type, ctx }) => ({
      loc: ['body', 'params', name, ...path],
      msg,
      type,
      ...(input !== undefined && { input }),
      ...(ctx && { ctx }),
    }));
  });
}

/** The mistakes in one parameter: the first mistake in the parameter as a whole, or else one for each wrong item. */
function mistakesOf(parameter: Parameter, errors: ErrorObject[]): Mistake[] {
  const own = errors.find((error) => pathOf(error).length === 1);
  if (own) return [ownMistake(parameter, own)];
  // Errors inside an alternative are summed up by the `oneOf` error of the item.
  const ofItems = errors.filter(({ schemaPath }) => !schemaPath.includes('/oneOf/'));
  const byItem = Map.groupBy(ofItems, (error) => Number(pathOf(error)[1]));
  return [...byItem].flatMap(([index, ofItem]) =>
    itemMistakes(parameter.items!, ofItem).map(({ member, msg, type = 'value_error' }) => ({
      path: [index, ...(member === undefined ? [] : [member])],
      msg,
      type,
    })),
  );
}

const TYPE_MISTAKES: Record<ParameterType, Mistake> = {
  integer: { type: 'int_type', msg: 'must be a whole number' },
  float: { type: 'float_type', msg: 'must be a number' },
  boolean: { type: 'bool_type', msg: 'must be true or false' },
  string: { type: 'string_type', msg: 'must be a string' },
  array: { type: 'list_type', msg: 'must be an array' },
  date: { type: 'date_parsing', msg: 'must be a date of the form YYYY-MM-DD or the word today' },
};

function ownMistake(parameter: Parameter, { keyword, data }: ErrorObject): Mistake {
  const type = typeOf(parameter);
  const { minimum, maximum, enum: options = [], minItems, maxItems } = parameter;
  const isUnsafe = type === 'integer' && !Number.isSafeInteger(data);
  switch (isUnsafe ? 'type' : keyword) {
    case 'enum':
      return { type: 'enum', msg: `must be one of ${options.join(', ')}`, ctx: { options: [...options] } };
    case 'minimum':
      return { type: 'greater_than_equal', msg: `must be at least ${minimum}`, ctx: { ge: minimum } };
    case 'maximum':
      return { type: 'less_than_equal', msg: `must be at most ${maximum}`, ctx: { le: maximum } };
    case 'minItems':
      return { type: 'too_short', msg: `must have at least ${minItems} item`, ctx: { min_length: minItems } };
    case 'maxItems':
      return { type: 'too_long', msg: `must have at most ${maxItems} items`, ctx: { max_length: maxItems } };
    default:
      return TYPE_MISTAKES[type];
  }
}

/** Wrong members in the order of the schema, then mistakes that concern several members, then unknown members. */
function itemMistakes(
  item: Item,
  errors: ErrorObject[],
): { member?: string; msg: string; type?: FieldError['type'] }[] {
  const isNoObject = errors.some((error) => error.keyword === 'type' && pathOf(error).length === 2);
  if (!item.properties || isNoObject) return [{ msg: item.mistake }];
  // With a `oneOf` error it is unclear which alternative is meant, so members of the alternatives are not judged.
  const isOpen = errors.some(({ keyword }) => keyword === 'oneOf');
  const wrong = new Set(errors.map(memberOf));
  const known = Object.keys(item.properties);
  const unknown = errors
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .slice(0, MAX_UNKNOWN_MEMBERS)
    .map(({ params }) => ({
      member: cutText(String(params['additionalProperty']), MAX_NAME_LENGTH),
      msg: `is not a member of an item; its members are ${known.join(', ')}`,
      type: 'extra_forbidden',
    }));
  const members = Object.entries(item.properties)
    .filter(([name]) => wrong.has(name) && (!isOpen || item.required?.includes(name)))
    .map(([member, { mistake }]) => ({ member, msg: mistake }));
  return [...members, ...(isOpen ? [{ msg: item.notExactlyOne ?? item.mistake }] : []), ...unknown];
}

function memberOf(error: ErrorObject): string | undefined {
  return error.keyword === 'required' ? String(error.params['missingProperty']) : pathOf(error)[2];
}

/** Names of parameters and members contain no character that a JSON pointer escapes. */
function pathOf({ instancePath }: ErrorObject): string[] {
  return instancePath.split('/').slice(1);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part of the input that an error repeats. Long text is cut, and objects are left out. */
function echo(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, MAX_ECHOED_LENGTH);
  return typeof value === 'object' ? undefined : value;
}

import { cutText } from '#shared/cut-text.ts';
import { refuse } from '#shared/invalid-request.ts';
import { isCalendarDay } from '#shared/jakarta-time.ts';
import type { FieldError } from '#shared/service-error.ts';
import type { ModelDefinition, ParameterDefinition } from './catalogue/model-definition.ts';

export type Params = Record<string, unknown>;

const MAX_NAME_LENGTH = 40;
const MAX_ECHOED_LENGTH = 100;
const MAX_ARRAY_LENGTH = 100;

/**
 * Checks parameters against the model's schema and fills in defaults, in the order of the schema. An array default
 * is copied, so that no run can change it for another.
 * @throws ServiceError invalid_request with every mistake in `detail`.
 */
export function completeParams(model: ModelDefinition, given: Params = {}): Params {
  const mistakes = unknownNames(model, given);
  const params: Params = {};
  for (const [name, definition] of Object.entries(model.params)) {
    const value = Object.hasOwn(given, name) ? given[name] : structuredClone(definition.default);
    params[name] = checkValue(definition, value, (path, type, msg, ctx) => {
      const input = echo(value);
      mistakes.push({
        loc: ['body', 'params', name, ...path],
        msg,
        type,
        ...(input === undefined ? {} : { input }),
        ...(ctx ? { ctx } : {}),
      });
    });
  }
  refuse(mistakes);
  return params;
}

type Report = (path: (string | number)[], type: string, msg: string, ctx?: Record<string, unknown>) => void;

/** The first one says which names there are: said by each, the list would push the other mistakes out of the error. */
function unknownNames(model: ModelDefinition, given: Params): FieldError[] {
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

function checkValue(definition: ParameterDefinition, value: unknown, report: Report): unknown {
  const { type, options } = definition;
  const problem = TYPE_RULES[type](value);
  if (problem) report([], problem.type, problem.msg);
  else if (options && !options.includes(value)) {
    report([], 'enum', `must be one of ${options.join(', ')}`, { options: [...options] });
  } else if (typeof value === 'number') checkBounds(definition, value, report);
  else if (Array.isArray(value)) return checkItems(definition, value, report);
  return value;
}

type TypeRule = (value: unknown) => { type: string; msg: string } | undefined;

const rule =
  (isRight: (value: unknown) => boolean, type: string, msg: string): TypeRule =>
  (value) =>
    isRight(value) ? undefined : { type, msg };

const TYPE_RULES: Record<ParameterDefinition['type'], TypeRule> = {
  integer: rule(Number.isSafeInteger, 'int_type', 'must be a whole number'),
  float: rule(Number.isFinite, 'float_type', 'must be a number'),
  boolean: rule((value) => typeof value === 'boolean', 'bool_type', 'must be true or false'),
  string: rule((value) => typeof value === 'string', 'string_type', 'must be a string'),
  array: rule(Array.isArray, 'list_type', 'must be an array'),
  date: rule(
    (value) => typeof value === 'string' && (value === 'today' || isCalendarDay(value)),
    'date_parsing',
    'must be a date of the form YYYY-MM-DD or the word today',
  ),
};

function checkBounds({ min, max }: ParameterDefinition, value: number, report: Report): void {
  if (min !== undefined && value < min)
    report([], 'greater_than_equal', `must be at least ${min}`, { ge: min });
  if (max !== undefined && value > max) report([], 'less_than_equal', `must be at most ${max}`, { le: max });
}

function checkItems({ item }: ParameterDefinition, items: unknown[], report: Report): unknown[] {
  if (items.length > MAX_ARRAY_LENGTH) {
    report([], 'too_long', `must have at most ${MAX_ARRAY_LENGTH} items`, { max_length: MAX_ARRAY_LENGTH });
    return items;
  }
  if (!item) return items;
  return items.map((value, index) =>
    item(value, (path, problem) => report([index, ...path], 'value_error', problem)),
  );
}

/** What is repeated of the input: only what is short enough not to drown the message. */
function echo(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, MAX_ECHOED_LENGTH);
  return typeof value === 'object' ? undefined : value;
}

import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import type { TObject, TSchema } from 'typebox';
import type { FieldRules } from '#proto/saring/wire/v1/rules.ts';
import { named } from '../schema-name.ts';
import { commentOf, fieldNamed, rulesOf, rulesOfMessage } from './descriptors.ts';

/**
 * Messages as JSON schemas: their types, the rules on their fields, and their comments as descriptions. A new field of
 * a message is one of its schema too.
 */

/** Any JSON object; it comes decoded as one. */
export const STRUCT = 'google.protobuf.Struct';

const answers = new Map<DescMessage, TObject>();

/** What a client reads: every field is there, and null where a message may leave it out. */
export function answerSchema(message: DescMessage): TObject {
  let schema = answers.get(message);
  if (!schema) {
    const properties = Object.fromEntries(message.fields.flatMap(answerProperties));
    const name = rulesOfMessage(message).schema || message.name;
    schema = named(name, objectSchema(properties, { description: commentOf(message) }));
    answers.set(message, schema);
  }
  return schema;
}

function answerProperties(field: DescField): [string, TSchema][] {
  if (field.fieldKind === 'message' && rulesOf(field).inline)
    return field.message.fields.flatMap(answerProperties);
  const description = descriptionOf(field);
  if (mayBeNull(field))
    return [[field.name, { anyOf: [valueSchema(field, {}), { type: 'null' }], description }]];
  return [[field.name, valueSchema(field, { description })]];
}

/** Whether the field is declared `optional`, and null in JSON where a message leaves it out. */
export function mayBeNull(field: DescField): boolean {
  return field.proto.proto3Optional;
}

/** What a client sends of these fields: nothing else, and what has a default may be left out. */
export function requestSchema(
  fields: readonly DescField[],
  options: { description?: string; names?: Record<string, string> } = {},
): TObject {
  const { names = {}, description } = options;
  const properties = fields.map((field): [string, TSchema] => [
    names[field.name] ?? field.name,
    valueSchema(field, { description: descriptionOf(field), ...defaultOf(field) }),
  ]);
  return objectSchema(Object.fromEntries(properties), {
    additionalProperties: false,
    ...(description && { description }),
  });
}

/** What a client sends as one field of a message; `Type.Unsafe` gives it the type that the message has. */
export function fieldSchema(typeName: string, fieldName: string): TSchema {
  const field = fieldNamed(typeName, fieldName);
  return valueSchema(field, { description: descriptionOf(field), ...defaultOf(field) });
}

/**
 * What the rules of a message say of the values of its fields, for a message that has come: there are no defaults, and
 * what may be missing is not asked for. Undefined where there are no rules.
 */
export function rulesSchema(message: DescMessage): TObject | undefined {
  // Those of protobuf itself come decoded as something else, as a date for one, and are our own to refuse.
  if (message.typeName.startsWith('google.protobuf.')) return undefined;
  const properties = message.fields.flatMap((field) => {
    const schema = ruleOf(field);
    return schema ? [[field.name, schema] as const] : [];
  });
  if (properties.length === 0) return undefined;
  return { type: 'object', properties: Object.fromEntries(properties) } as TObject;
}

function ruleOf(field: DescField): TSchema | undefined {
  const rules = rulesOf(field);
  const within = field.message && rulesSchema(field.message);
  if (field.fieldKind === 'message') return within;
  if (field.fieldKind === 'list' && field.message) {
    const limits = itemBounds(rules);
    if (!within && Object.keys(limits).length === 0) return undefined;
    return { type: 'array', ...limits, ...(within && { items: within }) };
  }
  return isFraction(field) || isRestricted(rules) ? valueSchema(field, {}) : undefined;
}

/** NaN and Infinity exist in a message; no rule is needed to refuse them. */
function isFraction(field: DescField): boolean {
  return field.fieldKind === 'scalar' && field.scalar === ScalarType.DOUBLE;
}

/** Whether there are values of the field's type that the rules forbid. */
function isRestricted(rules: FieldRules): boolean {
  return Object.keys({ ...bounds(rules), ...forms(rules), ...itemBounds(rules) }).length > 0;
}

/** The comment, what its kind adds, and what the rules say that JSON Schema has no word for. */
export function descriptionOf(field: DescField): string {
  const { note, max_distinct } = rulesOf(field);
  const limit =
    max_distinct === undefined
      ? ''
      : `At most ${max_distinct} different ones; more are \`too_many_tickers\`.`;
  return [commentOf(field), note, limit].filter((text) => text !== '').join(' ');
}

function valueSchema(field: DescField, about: { description?: string; default?: unknown }): TSchema {
  const rules = rulesOf(field);
  const options = { ...about, ...exampleOf(field, rules) };
  switch (field.fieldKind) {
    case 'scalar':
      return scalarSchema(field.scalar, rules, options);
    case 'message':
      return messageSchema(field.message, about);
    case 'list': {
      const items =
        field.listKind === 'message' ? answerSchema(field.message) : scalarSchema(scalarOf(field), rules, {});
      return {
        type: 'array',
        items,
        ...itemBounds(rules),
        ...options,
      };
    }
    case 'map': {
      const values =
        field.mapKind === 'message' ? answerSchema(field.message) : scalarSchema(scalarOf(field), rules, {});
      return { type: 'object', patternProperties: { '^.*$': values }, ...options };
    }
    case 'enum':
      throw new Error(`${String(field)}: an enum has no form in JSON here, declare a text with words`);
  }
}

/** A list in the place of the message that holds it; any other message by its name, which has a text of its own. */
function messageSchema(message: DescMessage, about: { description?: string }): TSchema {
  if (message.typeName === STRUCT) return { type: 'object', ...about };
  const [only] = message.fields;
  return rulesOfMessage(message).list && only ? valueSchema(only, about) : answerSchema(message);
}

function scalarOf({ scalar }: DescField): ScalarType {
  if (scalar === undefined) throw new Error('an enum has no form in JSON here, declare a text with words');
  return scalar;
}

function scalarSchema(scalar: ScalarType, rules: FieldRules, options: object): TSchema {
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: 'boolean', ...options };
    case ScalarType.DOUBLE:
      return { type: 'number', ...bounds(rules), ...options };
    case ScalarType.INT32:
    case ScalarType.INT64:
      return { type: 'integer', ...bounds(rules), ...options };
    case ScalarType.STRING:
      return { type: 'string', ...forms(rules), ...options };
    default:
      throw new Error(`${ScalarType[scalar]} has no form in JSON here`);
  }
}

function bounds({ minimum, maximum }: FieldRules) {
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

function itemBounds({ min_items: minItems, max_items: maxItems }: FieldRules) {
  return { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) };
}

function forms({ words, min_length: minLength, max_length: maxLength, pattern, format }: FieldRules) {
  return {
    ...(words.length > 0 && { enum: words }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern && { pattern }),
    ...(format && { format }),
  };
}

function exampleOf(field: DescField, { example }: FieldRules) {
  return example === '' ? {} : { examples: [valueOf(field, example)] };
}

function defaultOf(field: DescField): { default?: unknown } {
  const { default: text } = rulesOf(field);
  return text === '' ? {} : { default: valueOf(field, text) };
}

function valueOf(field: DescField, text: string): unknown {
  return field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING ? text : JSON.parse(text);
}

function objectSchema(properties: Record<string, TSchema>, options: object): TObject {
  return { type: 'object', required: Object.keys(properties), properties, ...options } as TObject;
}

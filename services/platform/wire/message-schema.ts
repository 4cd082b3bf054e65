import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import type { TObject, TSchema } from 'typebox';
import type { FieldRules } from '#proto/saring/wire/v1/rules.ts';
import { named } from '#foundation/schema-name.ts';
import { commentOf, fieldNamed, rulesOf, rulesOfMessage } from './descriptors.ts';
import { MOMENT_FORMS } from './moment.ts';

/**
 * Converts messages to JSON schemas: their types, the rules on their fields, and their comments as descriptions. A new field of
 * a message automatically appears in its schema.
 */

/** Any JSON object; decoded as an object. */
export const STRUCT = 'google.protobuf.Struct';
/** Any JSON value; decoded as that value. */
export const VALUE = 'google.protobuf.Value';
/** A moment; decoded as a Date. */
const TIMESTAMP = 'google.protobuf.Timestamp';

/** The schema of a timestamp in a response, by its `format`. */
const MOMENTS: Record<string, object> = {
  '': { type: 'string', format: 'date-time', examples: ['2024-06-28T16:30:05.120+07:00'] },
  'unix-seconds': { type: 'number', examples: [1_731_897_300.125] },
};

const responses = { everybody: new Map<DescMessage, TObject>(), operator: new Map<DescMessage, TObject>() };

/**
 * The schema of what a client reads: every field is present, and null where a message may omit it. `others` are optional
 * members that no field declares. The first call for a message must pass them.
 */
export function responseSchema(
  message: DescMessage,
  { others = {}, ...reader }: { others?: Record<string, TSchema>; forOperator?: boolean } = {},
): TObject {
  const forOperator = isForOperator(message, reader.forOperator);
  const ofReader = responses[forOperator ? 'operator' : 'everybody'];
  let schema = ofReader.get(message);
  if (!schema) {
    const properties = Object.fromEntries(
      shownFields(message, forOperator).flatMap((field) => responseProperties(field, forOperator)),
    );
    const optional = [...message.fields.filter(isLeftOut).map(jsonName), ...Object.keys(others)];
    const about = { description: commentOf(message) };
    schema = named(
      responseName(message, forOperator),
      objectSchema({ ...properties, ...others }, about, optional),
    );
    ofReader.set(message, schema);
  } else if (Object.keys(others).some((name) => !(name in schema!.properties))) {
    throw new Error(`the schema of ${message.name} was asked for before its other members were said`);
  }
  return schema;
}

/** The name of the schema in the OpenAPI document. */
function responseName(message: DescMessage, forOperator: boolean): string {
  const { schema, for_operator } = rulesOfMessage(message);
  const name = schema || message.name;
  return forOperator && !for_operator ? `Admin${name}` : name;
}

/** Whether the operator's form of the message applies, which can have more fields. */
export function isForOperator(message: DescMessage, isRead = false): boolean {
  return rulesOfMessage(message).for_operator || (isRead && hasMoreForOperator(message));
}

function hasMoreForOperator(message: DescMessage): boolean {
  if (isOfProtobuf(message)) return false;
  return message.fields.some(
    (field) => rulesOf(field).operator_only || (field.message && hasMoreForOperator(field.message)),
  );
}

/** Whether it is a message of protobuf itself, which is decoded to another type: a Date or a JSON value, for example. */
export function isOfProtobuf({ typeName }: DescMessage): boolean {
  return typeName.startsWith('google.protobuf.');
}

/** The fields that appear in the message’s JSON. */
export function shownFields(message: DescMessage, forOperator: boolean): DescField[] {
  return message.fields.filter((field) => {
    const { hidden, operator_only } = rulesOf(field);
    return !hidden && (forOperator || !operator_only);
  });
}

export function isLeftOut(field: DescField): boolean {
  return rulesOf(field).left_out;
}

/** The name of the member of a response that holds a field. */
export function jsonName(field: DescField): string {
  return rulesOf(field).name.split('.')[0] || field.name;
}

/** The name within that member, where the field belongs to an object that no message declares. */
export function innerName(field: DescField): string | undefined {
  return rulesOf(field).name.split('.')[1];
}

export function isTimestamp({ message, fieldKind }: DescField): boolean {
  return message?.typeName === TIMESTAMP && fieldKind === 'message';
}

/** The schema of one field of a message, as a client reads it. */
export function responseField(typeName: string, fieldName: string): TSchema {
  return responseProperties(fieldNamed(typeName, fieldName), false)[0]![1];
}

function responseProperties(field: DescField, forOperator: boolean): [string, TSchema][] {
  if (field.fieldKind === 'message' && rulesOf(field).inline)
    return shownFields(field.message, forOperator).flatMap((part) => responseProperties(part, forOperator));
  const description = descriptionOf(field);
  const name = jsonName(field);
  const inner = innerName(field);
  const value = (about: { description?: string }) => valueSchema(field, about, forOperator);
  if (inner) return [[name, objectSchema({ [inner]: value({ description }) }, { description })]];
  if (mayBeNull(field) && !isAnyValue(field))
    return [[name, { anyOf: [value({}), { type: 'null' }], description }]];
  return [[name, value({ description })]];
}

/** Whether the field is null in JSON when a message omits it: it is declared `optional` or can be any JSON value. */
export function mayBeNull(field: DescField): boolean {
  return (field.proto.proto3Optional || isAnyValue(field)) && !isLeftOut(field);
}

function isAnyValue(field: DescField): boolean {
  return isJsonValue(field) && rulesOf(field).json_types.length === 0;
}

function isJsonValue({ message, fieldKind }: DescField): boolean {
  return message?.typeName === VALUE && fieldKind === 'message';
}

/** An id in a path: printable, without spaces, at most 64 characters, which is more than any real id has. */
const PATH_ID = '^[!-~]{1,64}$';

interface RequestOptions {
  description?: string;
  /** REST names of fields that differ from the message. */
  names?: Record<string, string>;
  /** A JSON body can contain null for an absent field, a query cannot. Every part of a path is required. */
  part?: 'path' | 'query' | 'body';
}

/** The schema of what a client sends: only these fields. Optional fields and those with a default may be omitted. */
export function requestSchema(fields: readonly DescField[], options: RequestOptions = {}): TObject {
  const { names = {}, description, part = 'query' } = options;
  const restName = ({ name }: DescField) => names[name] ?? name;
  const properties = fields.map((field): [string, TSchema] => [
    restName(field),
    { ...(part === 'path' && { pattern: PATH_ID }), ...sentSchema(field, part === 'body') },
  ]);
  const mayBeAbsent = (field: DescField) => field.proto.proto3Optional || isLeftOut(field);
  const optional = part === 'path' ? [] : fields.filter(mayBeAbsent).map(restName);
  return objectSchema(
    Object.fromEntries(properties),
    { additionalProperties: false, ...(description && { description }) },
    optional,
  );
}

/** The schema of one field, as a client sends it; `Type.Unsafe` gives it the type of the message's field. */
export function fieldSchema(typeName: string, fieldName: string): TSchema {
  return sentSchema(fieldNamed(typeName, fieldName), false);
}

function sentSchema(field: DescField, isBody: boolean): TSchema {
  const description = descriptionOf(field);
  if (isTimestamp(field))
    return {
      type: 'string',
      format: rulesOf(field).format,
      description: `${description} It is ${MOMENT_FORMS}.`,
    };
  if (isBody && field.proto.proto3Optional) {
    if (field.message) {
      const types = isJsonValue(field) ? rulesOf(field).json_types : ['object'];
      return { ...membersOf(field), type: [...types, 'null'], description };
    }
    return { anyOf: [valueSchema(field, {}), { type: 'null' }], description };
  }
  return valueSchema(field, { description, ...defaultOf(field) });
}

/** What is known of the members of an object in a body. Those of a message are checked like the body itself. */
function membersOf(field: DescField): object {
  if (isOfProtobuf(field.message!)) return exampleOf(field, rulesOf(field));
  return requestSchema(field.message!.fields, { part: 'body' });
}

/**
 * The rules on the fields of a received message: no defaults, and optional fields are not required. Undefined when there are no
 * rules.
 */
export function rulesSchema(message: DescMessage): TObject | undefined {
  // Messages of protobuf itself are decoded to other types, for example to a Date, and are checked separately.
  if (isOfProtobuf(message)) return undefined;
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
  if (!isFraction(field) && !isRestricted(rules)) return undefined;
  const { minItems, ...schema } = valueSchema(field, {}) as TSchema & { minItems?: number };
  // A message does not tell an empty list from one that was left out.
  return { ...schema, ...(minItems !== undefined && !isLeftOut(field) && { minItems }) };
}

/** A message can contain NaN and Infinity, which are refused even without a rule. */
function isFraction(field: DescField): boolean {
  return field.fieldKind === 'scalar' && field.scalar === ScalarType.DOUBLE;
}

/** Whether the rules forbid some values of the field's type. */
function isRestricted(rules: FieldRules): boolean {
  return Object.keys({ ...bounds(rules), ...forms(rules), ...itemBounds(rules) }).length > 0;
}

/** The comment, or the description of its kind, the note of its kind, and the rules that JSON Schema cannot express. */
export function descriptionOf(field: DescField): string {
  const { description, note, max_distinct } = rulesOf(field);
  const limit =
    max_distinct === undefined
      ? ''
      : `At most ${max_distinct} different ones; more are \`too_many_tickers\`.`;
  return [commentOf(field) || description, note, limit].filter((text) => text !== '').join(' ');
}

function valueSchema(
  field: DescField,
  about: { description?: string; default?: unknown },
  forOperator = false,
): TSchema {
  const rules = rulesOf(field);
  const options = { ...about, ...exampleOf(field, rules) };
  switch (field.fieldKind) {
    case 'scalar':
      return { ...scalarSchema(field.scalar, rules, options), ...alwaysOf(field, rules) };
    case 'message':
      if (isTimestamp(field)) return { ...MOMENTS[rules.format], ...about };
      if (isJsonValue(field)) return { ...typesOf(rules), ...options };
      return messageSchema(field.message, about, forOperator);
    case 'list': {
      const items =
        field.listKind === 'message'
          ? messageSchema(field.message, {}, forOperator)
          : scalarSchema(scalarOf(field), rules, {});
      return {
        type: 'array',
        items,
        ...itemBounds(rules),
        ...options,
      };
    }
    case 'map': {
      const values =
        field.mapKind === 'message'
          ? messageSchema(field.message, {}, forOperator)
          : scalarSchema(scalarOf(field), rules, {});
      return { type: 'object', patternProperties: { '^.*$': values }, ...options };
    }
    case 'enum':
      throw new Error(`${String(field)}: an enum has no form in JSON here, declare a text with words`);
  }
}

/** A message that wraps a list becomes the list. Any other message becomes a reference to its named schema. */
function messageSchema(message: DescMessage, about: { description?: string }, forOperator: boolean): TSchema {
  if (message.typeName === STRUCT) return { type: 'object', ...about };
  if (message.typeName === VALUE) return { ...about };
  const [only] = message.fields;
  if (rulesOfMessage(message).list && only) return valueSchema(only, about, forOperator);
  return responseSchema(message, { forOperator });
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
    case ScalarType.UINT32:
    case ScalarType.INT64:
      return { type: 'integer', ...bounds(rules), ...options };
    case ScalarType.STRING:
      return { type: 'string', ...forms(rules), ...options };
    default:
      throw new Error(`${ScalarType[scalar]} has no form in JSON here`);
  }
}

/** A JSON value can be of any type unless its rules name some. */
function typesOf({ json_types: [only, ...others] }: FieldRules): { type?: string | string[] } {
  if (only === undefined) return {};
  return { type: others.length > 0 ? [only, ...others] : only };
}

function bounds({ minimum, maximum }: FieldRules) {
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

function itemBounds({ min_items: minItems, max_items: maxItems }: FieldRules) {
  return { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) };
}

function forms({ words, min_length: minLength, max_length: maxLength, pattern, form, format }: FieldRules) {
  return {
    ...(words.length > 0 && { enum: words }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern && { pattern }),
    ...(form && { $comment: form }),
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

function alwaysOf(field: DescField, { always }: FieldRules): { const?: unknown } {
  return always === '' ? {} : { const: valueOf(field, always) };
}

function valueOf(field: DescField, text: string): unknown {
  return field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING ? text : JSON.parse(text);
}

function objectSchema(
  properties: Record<string, TSchema>,
  options: object,
  optional: readonly string[] = [],
): TObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options } as TObject;
}

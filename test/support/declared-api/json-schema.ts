import fc from 'fast-check';

/** The parts of JSON Schema that this API's document uses. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  items?: JsonSchema;
  minItems?: number;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  default?: unknown;
  examples?: unknown[];
}

/** The schema with every reference replaced by the named schema. */
export function resolvedSchema(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  return mapped(schema, (part) => {
    if (part.$ref === undefined) return part;
    const { $ref, ...narrower } = part;
    const target = named[$ref.replace('#/components/schemas/', '')];
    if (!target) throw new Error(`the document has no ${$ref}`);
    return narrowed(resolvedSchema(target, named), narrower);
  });
}

/** Members beside a reference apply in addition to the referenced schema. */
function narrowed(schema: JsonSchema, by: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  const narrower = Object.entries(by.properties ?? {}).map(
    ([name, part]) => [name, narrowed(properties[name] ?? {}, part)] as const,
  );
  return {
    ...schema,
    ...by,
    ...(schema.properties && { properties: { ...properties, ...Object.fromEntries(narrower) } }),
  };
}

/**
 * The same schema, but closed to members that it does not name. Clients must ignore unknown members; tests must not, because an
 * answered member without a description is missing from the reference.
 */
export function closedSchema(schema: JsonSchema): JsonSchema {
  return mapped(schema, (part) =>
    part.properties && part.additionalProperties === undefined
      ? { ...part, additionalProperties: false }
      : part,
  );
}

/** Paths within the schema to objects whose members it does not describe. */
export function freeFormObjects(schema: JsonSchema, path = ''): string[] {
  // The referenced schema is checked under its own name; members beside a reference only narrow it.
  if (schema.$ref !== undefined) return [];
  const open =
    [schema.type].flat().includes('object') &&
    !schema.properties &&
    !schema.patternProperties &&
    typeof schema.additionalProperties !== 'object';
  const isTyped = schema.type ?? schema.anyOf ?? schema.enum;
  const within = children(schema).flatMap(([step, part]) => freeFormObjects(part, `${path}/${step}`));
  return open || !isTyped ? [path || '/', ...within] : within;
}

/** The schemas of which a value must match one: the members of `anyOf`, or the schema itself. */
export function alternatives(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf ?? [schema];
}

/** Applies a change to every schema within a schema, innermost first. */
function mapped(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const members = (parts: Record<string, JsonSchema>) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, mapped(part, change)]));
  return change({
    ...schema,
    ...(schema.properties && { properties: members(schema.properties) }),
    ...(schema.patternProperties && { patternProperties: members(schema.patternProperties) }),
    ...(schema.items && { items: mapped(schema.items, change) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((part) => mapped(part, change)) }),
  });
}

function children(schema: JsonSchema): [string, JsonSchema][] {
  return [
    ...Object.entries(schema.properties ?? {}),
    ...Object.entries(schema.patternProperties ?? {}),
    ...(schema.items ? [['items', schema.items] as [string, JsonSchema]] : []),
    ...(schema.anyOf ?? []).map((part, i): [string, JsonSchema] => [`anyOf${i}`, part]),
  ];
}

/** A value at a limit of what a schema allows, or just beyond. */
export interface Edge {
  value: string | number;
  isAllowed: boolean;
}

/** Every word of an enum, every bound of a number or of a text's length, and the first value beyond each bound. */
export function edgesOf(schema: JsonSchema): Edge[] {
  return alternatives(schema).flatMap((one) => [
    ...(one.enum ?? []).map(allowed),
    ...numberEdges(one),
    ...lengthEdges(one),
  ]);
}

const allowed = (value: string | number): Edge => ({ value, isAllowed: true });
const refused = (value: string | number): Edge => ({ value, isAllowed: false });

function numberEdges({ minimum, maximum, type }: JsonSchema): Edge[] {
  const beyond = (bound: number) => (type === 'integer' ? 1 : 1e-9 * (1 + Math.abs(bound)));
  return [
    ...(minimum === undefined ? [] : [allowed(minimum), refused(minimum - beyond(minimum))]),
    ...(maximum === undefined ? [] : [allowed(maximum), refused(maximum + beyond(maximum))]),
  ];
}

function lengthEdges({ type, pattern, minLength, maxLength }: JsonSchema): Edge[] {
  if (type !== 'string') return [];
  // Exceptions (negative look-aheads) do not concern lengths.
  const usual = pattern?.replace(/\(\?!.*?\)/, '');
  const [, character, least, most] = /^\^(.*)\{(\d+),(\d+)\}\$$/.exec(usual ?? '') ?? [];
  const [min, max] = character ? [Number(least), Number(most)] : [minLength, maxLength];
  const ofLength = (length: number) => textLike(character ?? 'v', length);
  return [
    ...(min === undefined ? [] : [allowed(ofLength(min))]),
    ...(min ? [refused(ofLength(min - 1))] : []),
    ...(max === undefined ? [] : [allowed(ofLength(max)), refused(ofLength(max + 1))]),
  ];
}

/** A text that survives as a header: without white space at its ends. */
function textLike(pattern: string, times: number): string {
  const texts = fc
    .stringMatching(new RegExp(`^${pattern}{${times}}$`))
    .filter((text) => text === text.trim() && !/^\.+$/.test(text));
  return fc.sample(texts, { numRuns: 1, seed: 1 })[0]!;
}

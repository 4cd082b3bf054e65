import { DOCUMENT, nameOf, resolved, type Operation, type Schema } from './document.ts';
import { capitalized } from './words.ts';

const SIMPLE: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const RESERVED = ['from', 'with', 'global', 'import', 'class', 'def', 'in', 'is', 'not', 'as'];

/** A name of the API as a keyword of a call. Reserved words get an underscore. */
export const keyword = (name: string) => (RESERVED.includes(name) ? `${name}_` : name);

/** Answers come as CSV through `rest.bytes`, whose type is another. */
const NOT_A_KEYWORD = 'format';

const HEADER = `# Generated from the OpenAPI document of the gateway.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict`;

/** A Python module with a TypedDict for each schema, and for the keywords of each operation. */
export function pythonTypes(): string {
  const {
    components: { schemas },
    paths,
  } = DOCUMENT;
  const module = new TypesModule(Object.keys(schemas));
  for (const [name, schema] of Object.entries(schemas)) module.declare(name, schema);
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const keywords = keywordsOf(operation);
    if (Object.keys(keywords.properties).length > 0)
      module.declare(`${capitalized(operation.operationId)}Input`, keywords);
  }
  module.declare('ErrorCode', schemas['Error']!.properties!['error']!.properties!['code']!);
  return module.text;
}

/** Query and body of an operation as one object, since a method takes both by name. */
function keywordsOf({ parameters = [], requestBody }: Operation) {
  const asked = parameters.filter((parameter) => parameter.in === 'query');
  const body = resolved(requestBody?.content['application/json']?.schema ?? {});
  const properties: Record<string, Schema> = {
    ...Object.fromEntries(
      asked.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    ),
    ...body.properties,
  };
  delete properties[NOT_A_KEYWORD];
  const required = [
    ...asked.filter((parameter) => parameter.required).map(({ name }) => name),
    ...(body.required ?? []),
  ];
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [keyword(name), value])),
    required: required.map(keyword),
  };
}

const pascal = (words: string) =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map(capitalized)
    .join('');
const quoted = (text: string) => JSON.stringify(text);
const docstring = (text: string) => `"""${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""`;
const isAttribute = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !RESERVED.includes(name);

class TypesModule {
  readonly #taken: Set<string>;
  readonly #parts: string[] = [HEADER];

  constructor(names: string[]) {
    this.#taken = new Set(names);
  }

  get text(): string {
    return `${this.#parts.join('\n\n\n')}\n`;
  }

  declare(name: string, schema: Schema): void {
    if (schema.properties && schema.type === 'object') this.#declareObject(name, schema);
    else this.#parts.push(`${name}: TypeAlias = ${quoted(this.#typeOf(schema, name))}`);
  }

  #declareObject(name: string, { properties = {}, required = [], description }: Schema): void {
    const fields = Object.entries(properties).map(([field, value]) => {
      const type = this.#typeOf(value, name + pascal(field));
      return {
        field,
        type: required.includes(field) ? type : `NotRequired[${type}]`,
        about: value.description,
      };
    });
    if (fields.every(({ field }) => isAttribute(field))) {
      const lines = fields.flatMap(({ field, type, about }) => [
        `${field}: ${type}`,
        ...(about === undefined ? [] : [docstring(about)]),
      ]);
      const body = [...(description === undefined ? [] : [docstring(description)]), ...lines];
      this.#parts.push(
        `class ${name}(TypedDict):\n${(body.length > 0 ? body : ['pass']).map((line) => `    ${line}`).join('\n')}`,
      );
    } else {
      const lines = fields.map(({ field, type }) => `    ${quoted(field)}: ${quoted(type)},`);
      this.#parts.push(`${name} = TypedDict(${quoted(name)}, {\n${lines.join('\n')}\n})`);
    }
  }

  #typeOf(schema: Schema, name: string): string {
    return typeOf(schema, name, {
      named: (known) => known,
      inline: (wanted, one) => this.#declareWithin(wanted, one),
    });
  }

  #declareWithin(wanted: string, schema: Schema): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    this.#declareObject(name, schema);
    return name;
  }
}

/** How the type of an object is written: one with a name, and one without, for which a name is proposed. */
interface ObjectTypes {
  named: (name: string) => string;
  inline: (proposed: string, schema: Schema) => string;
}

/** The annotation of a value that a schema describes. */
export function typeOf(schema: Schema, name: string, objects: ObjectTypes): string {
  const known = nameOf(schema);
  if (known !== undefined) return objects.named(known);
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.enum) return literal(schema.enum);
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeOf(one, name, objects)));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? 'Any' : union(types.map((type) => typeNamed(type, schema, name, objects)));
}

function typeNamed(type: string, schema: Schema, name: string, objects: ObjectTypes): string {
  if (type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`, objects)}]`;
  if (type !== 'object') return SIMPLE[type]!;
  if (schema.properties) return objects.inline(name, schema);
  const [values] = [...Object.values(schema.patternProperties ?? {}), schema.additionalProperties].filter(
    (one) => typeof one === 'object',
  );
  return `dict[str, ${values ? typeOf(values, `${name}Value`, objects) : 'Any'}]`;
}

const literal = (values: unknown[]) =>
  `Literal[${values.map((value) => (typeof value === 'boolean' ? capitalized(String(value)) : JSON.stringify(value))).join(', ')}]`;
const union = (types: string[]) => [...new Set(types)].join(' | ');

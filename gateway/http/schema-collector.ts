import type { TObject, TSchema } from 'typebox';
import { nameOf } from '../schemas/named.ts';

type Json = Record<string, unknown>;

/** Turns schemas into plain JSON in which each named one is listed once and referred to everywhere else. */
export class SchemaCollector {
  readonly collected: Record<string, Json> = {};
  readonly #sources = new Map<string, object>();

  /** The schema, or a reference to it if it has a name. */
  reference(schema: TSchema): Json {
    return this.#plain(schema) as Json;
  }

  #plain(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#plain(item));
    if (typeof part !== 'object' || part === null) return part;
    const name = nameOf(part);
    if (name === undefined) return this.#members(part);
    this.#collect(name, part);
    return { $ref: `#/components/schemas/${name}` };
  }

  #collect(name: string, schema: object): void {
    const source = this.#sources.get(name);
    if (source === schema) return;
    if (source) throw new Error(`two schemas are called ${name}`);
    this.#sources.set(name, schema);
    this.collected[name] = this.#members(schema);
  }

  #members(schema: object): Json {
    const members = Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, this.#plain(value)]),
    );
    return Array.isArray(members['required'])
      ? { ...members, required: requiredBy(schema as TObject) }
      : members;
  }
}

/** The properties that must be sent: what has a default may be left out. */
export function requiredBy({ required, properties }: TObject): string[] {
  return ((required ?? []) as string[]).filter((name) => !('default' in (properties[name] ?? {})));
}

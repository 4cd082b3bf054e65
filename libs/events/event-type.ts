import type { Static, TObject, TUnsafe } from 'typebox';

/** A text in Indonesian and English. */
interface Words {
  readonly id: string;
  readonly en: string;
}

/**
 * A type of event. Its data is a flat object of identifiers, counts, days and times, and never a result: a message can be lost to
 * a stranger, and what it tells of is read with the key.
 */
export interface EventType<Data extends TObject = TObject> {
  /** What has happened, for people. */
  readonly words: Words;
  /** The key that it concerns, or every enabled key with this scope. */
  readonly toldTo: 'its key' | 'data:read';
  readonly data: Data;
}

/** The data of a type of event. */
export type DataOf<Type extends EventType> = Static<Type['data']>;

/**
 * The schemas are written out by hand, and only the types of TypeBox are used: every service that tells an event reads them, and
 * loading the library would cost each process 10 MB.
 */
interface FieldSchema {
  type: 'string' | 'integer';
  format?: 'date' | 'date-time';
  minimum?: number;
  enum?: readonly string[];
  description: string;
  examples?: readonly unknown[];
}

const field = <T>(schema: FieldSchema) => schema as unknown as TUnsafe<T>;

export const text = (description: string, example: string) =>
  field<string>({ type: 'string', description, examples: [example] });

export const count = (description: string, example: number) =>
  field<number>({ type: 'integer', minimum: 0, description, examples: [example] });

/** A trading day, YYYY-MM-DD. */
export const day = (description: string) =>
  field<string>({ type: 'string', format: 'date', description, examples: ['2026-11-20'] });

/** ISO 8601 with the offset of Jakarta. */
export const time = (description: string) =>
  field<string>({
    type: 'string',
    format: 'date-time',
    description,
    examples: ['2026-11-20T18:35:00.000+07:00'],
  });

export const word = <Word extends string>(description: string, words: readonly Word[]) =>
  field<Word>({ type: 'string', enum: words, description, examples: [words[0]] });

/** The description says when it is null. */
export function orNull<T>(schema: TUnsafe<T>) {
  const { description, examples, ...rest } = schema as unknown as FieldSchema;
  return { anyOf: [rest, { type: 'null' }], description, examples } as unknown as TUnsafe<T | null>;
}

/** The data of an event. Every member is present. */
export function data<Fields extends Record<string, TUnsafe<unknown>>>(properties: Fields) {
  const required = Object.keys(properties);
  return { type: 'object', properties, required } as unknown as TObject<Fields>;
}

/** What is wrong with data that should be of this type; undefined if nothing is. Members that are not declared are allowed. */
export function mistakeIn(type: EventType, sent: Record<string, unknown>): string | undefined {
  for (const [name, schema] of Object.entries(type.data.properties)) {
    const { anyOf, ...only } = schema as Partial<FieldSchema> & { anyOf?: readonly Partial<FieldSchema>[] };
    if (!(anyOf ?? [only]).some((allowed) => isOf(allowed as AllowedValue, sent[name])))
      return `${name} is ${JSON.stringify(sent[name])}`;
  }
  return undefined;
}

type AllowedValue = Omit<FieldSchema, 'type'> & { type: FieldSchema['type'] | 'null' };

function isOf({ type, minimum = -Infinity, enum: words }: AllowedValue, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value) && (value as number) >= minimum;
  return typeof value === 'string' && (words === undefined || words.includes(value));
}

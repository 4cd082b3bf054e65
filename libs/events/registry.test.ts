import { expect, test } from 'vitest';
import { mistakeIn, type EventType } from './event-type.ts';
import { EVENT_TYPES } from './registry.ts';

const types = Object.entries<EventType>(EVENT_TYPES);

interface Schema {
  anyOf?: Schema[];
  type?: string;
  description: string;
  examples: unknown[];
}

/** Data made of the examples. */
const exampleOf = ({ data }: EventType) =>
  Object.fromEntries(
    Object.entries(data.properties).map(([name, schema]) => [
      name,
      (schema as unknown as Schema).examples[0],
    ]),
  );

test.each(types)(
  '%s has words in both languages, and a description and an example of every member',
  (_, type) => {
    for (const words of Object.values(type.words)) expect(words).toMatch(/^[A-Z].*\.$/);
    expect(type.words.id).not.toBe(type.words.en);
    for (const schema of Object.values(type.data.properties) as unknown as Schema[])
      expect(schema.description).toMatch(/^[A-Z].*\.$/);
    expect(mistakeIn(type, exampleOf(type))).toBeUndefined();
  },
);

test.each(types)('data of %s that lacks a member, or has it of another type, is noticed', (_, type) => {
  const example = exampleOf(type);
  for (const [name, value] of Object.entries(example)) {
    expect(mistakeIn(type, { ...example, [name]: undefined })).toContain(name);
    expect(mistakeIn(type, { ...example, [name]: typeof value === 'number' ? -1.5 : 1 })).toContain(name);
    const { anyOf } = type.data.properties[name] as unknown as Schema;
    const mayBeNull = anyOf?.some((schema) => schema.type === 'null') ?? false;
    expect(mistakeIn(type, { ...example, [name]: null }) === undefined).toBe(mayBeNull);
  }
  expect(mistakeIn(type, { ...example, added_later: 'x' })).toBeUndefined();
});

import { FIELDS } from '#fields/catalogue/catalogue.ts';
import type { DeclaredFact } from '#fields/catalogue/facts.ts';
import { FIELD_TYPES, UNITS } from '#fields/field-type.ts';
import { RESERVED } from '#fields/rules/text-words.ts';
import { invalidRequest, refuse } from '#foundation/errors/invalid-request.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';
import { notPlain } from '#platform/wire/plain-text.ts';
import { fieldErrors, newAjv } from '#platform/wire/field-errors.ts';

/** Each may fill a column of the whole market, and `GET /api/v1/fields` lists all. */
export const MAX_FACTS = 100;

const TEXT = { type: 'string', minLength: 1, maxLength: 300 };
const WORDS = {
  type: 'object',
  properties: { id: TEXT, en: TEXT },
  required: ['id', 'en'],
  additionalProperties: false,
};
const AS_IMPORTED = 'newest imported value that was known on the day';

const DECLARATIONS = {
  type: 'array',
  maxItems: MAX_FACTS,
  items: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        pattern: '^[a-z][a-z0-9_]{0,49}$',
        $comment: 'a lower-case letter, then up to 49 lower-case letters, digits and underscores',
      },
      type: { enum: FIELD_TYPES, default: 'number' },
      unit: { enum: UNITS, default: 'none' },
      label: WORDS,
      formula: { ...TEXT, default: AS_IMPORTED },
      source: TEXT,
      null_means: WORDS,
    },
    required: ['name', 'label', 'source', 'null_means'],
    additionalProperties: false,
  },
};

export const DECLARATION_MEMBERS = Object.keys(DECLARATIONS.items.properties);

/** It compiles a schema once, when there is something to check. */
const ajv = newAjv();

/**
 * The fields that a JSON list declares, with their defaults.
 * @throws ServiceError invalid_request that names each wrong member and what is allowed
 */
export function declaredFacts(json: string): DeclaredFact[] {
  if (json.trim() === '') return [];
  const declared = parsed(json);
  const isDeclaration = ajv.compile(DECLARATIONS);
  if (!isDeclaration(declared)) throw invalidRequest(fieldErrors(isDeclaration.errors ?? [], ['fields']));
  const facts = declared as DeclaredFact[];
  refuse(facts.flatMap((fact, at) => mistakesIn(fact, facts.slice(0, at), ['fields', at])));
  return facts;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const msg = `must be a JSON list of fields: ${(error as Error).message}`;
    throw invalidRequest([{ loc: ['fields'], msg, type: 'value_error' }]);
  }
}

function mistakesIn(
  fact: DeclaredFact,
  before: readonly DeclaredFact[],
  loc: FieldError['loc'],
): FieldError[] {
  const { name, type, unit, label, formula, source, null_means } = fact;
  const wrong = (member: string, msg: string): FieldError => ({
    loc: [...loc, member],
    msg,
    type: 'value_error',
  });
  const texts = { formula, source, 'label.id': label.id, 'label.en': label.en };
  const all = { ...texts, 'null_means.id': null_means.id, 'null_means.en': null_means.en };
  return [
    ...(FIELDS.has(name) ? [wrong('name', `must not be the name of a computed field, and ${name} is`)] : []),
    ...(RESERVED.has(name) ? [wrong('name', `must not be a word of the rules, and ${name} is`)] : []),
    ...(before.some((other) => other.name === name) ? [wrong('name', `names ${name} a second time`)] : []),
    ...(type !== 'number' && unit !== 'none' ? [wrong('unit', `must be none for type ${type}`)] : []),
    ...Object.entries(all).flatMap(([member, text]) => notPlain([...loc, ...member.split('.')], text)),
  ];
}

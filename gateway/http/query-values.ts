import type { TObject } from 'typebox';
import type { FieldError } from '#shared/service-error.ts';

const WHOLE_NUMBER = /^-?\d{1,16}$/;
/** As long as any number that a program writes; what is too large for one comes out infinite and is refused. */
const DECIMAL = /^-?\d{1,25}(\.\d{1,25})?([eE][+-]?\d{1,3})?$/;

/**
 * Gives query values the types of their schema, by decimal notation alone: `0x10`, ` 5 ` and an empty value stay
 * text and fail validation. A parameter that comes more than once is a mistake, since either value could be meant.
 */
export function queryValues(
  schema: TObject,
  query: Record<string, unknown>,
  mistakes: FieldError[],
): Record<string, unknown> {
  // Without a prototype `__proto__` is a name like any other.
  const values = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) {
      mistakes.push({ loc: ['query', name], msg: 'must be given only once', type: 'multiple_values' });
    }
    const text = Array.isArray(value) ? (value[0] as unknown) : value;
    const property = schema.properties[name] as { type?: string } | undefined;
    values[name] = typeof text === 'string' ? typed(text, property?.type) : text;
  }
  return values;
}

function typed(text: string, type: string | undefined): unknown {
  if (type === 'integer' && WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text)))
    return Number(text);
  if (type === 'number' && DECIMAL.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

import type { Fields } from '#fields/catalogue/catalogue.ts';
import { MISTAKES } from '#fields/rules/mistakes.ts';
import { closest } from '#fields/rules/suggestion.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';

/**
 * @param member of the request that has the names
 * @throws ServiceError invalid_request naming each name that no field has
 */
export function requireFields(names: readonly string[], fields: Fields, member = 'columns'): void {
  const unknown = [...names.entries()].filter(([, name]) => !fields.has(name));
  refuse(
    unknown.map(([at, name]): FieldError => {
      const params = { name, meant: closest(name, fields.keys()) };
      const ctx = { mistake: 'no_field', params };
      return { loc: [member, at], msg: MISTAKES.no_field(params), type: 'value_error', input: name, ctx };
    }),
  );
}

import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { suggestion } from '#fields/rules/suggestion.ts';
import { refuse } from '#shared/invalid-request.ts';

/** @throws ServiceError invalid_request naming each field that the catalogue does not have */
export function requireFields(names: readonly string[]): void {
  const unknown = [...names.entries()].filter(([, name]) => !FIELDS.has(name));
  refuse(
    unknown.map(([at, name]) => ({
      loc: ['columns', at],
      msg: `no field \`${name}\`${suggestion(name, FIELDS.keys())}`,
      type: 'value_error',
      input: name,
    })),
  );
}

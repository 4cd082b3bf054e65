import { freeFormObjects } from './json-schema.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** What the contract leaves open; every other object of the document names its members. */
export const OPEN_BY_CONTRACT: Record<string, string> = {
  'RunRequest/params': 'parameters by name, as the model’s own schema declares them',
  'Job/params': 'the same, as the run used them',
  'UsageEvent/params': 'the same, exactly what the model received',
  'AdminUsageEvent/params': 'the same, exactly what the model received',
  'Parameter/default': 'of any type: that of the parameter',
  'Parameter/options/items': 'of any type: that of the parameter',
  'FieldError/input': 'whatever was sent',
  'FieldError/ctx': 'the limit that was broken, by its kind',
};

/** Where the document lets anything stand: as the name of a schema, or the operation and its part, and the path within. */
export function openMembers({ components, paths }: OpenApiDocument): string[] {
  const named = Object.entries(components.schemas).flatMap(([name, schema]) => freeFormObjects(schema, name));
  const inline = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters, requestBody, responses }) => {
      const inputs = parameters.map(({ name, schema }) => [name, schema] as const);
      const bodies = Object.entries({ body: requestBody ?? {}, ...responses }).flatMap(
        ([part, { content }]) => Object.values(content ?? {}).map(({ schema }) => [part, schema] as const),
      );
      return [...inputs, ...bodies].flatMap(([part, schema]) =>
        freeFormObjects(schema, `${operationId} ${part}`),
      );
    });
  return [...named, ...inline].toSorted();
}

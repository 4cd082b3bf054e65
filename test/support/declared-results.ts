import type { ValidateFunction } from 'ajv';
import { newAjv } from '#platform/wire/field-errors.ts';
import {
  closedSchema,
  freeFormObjects,
  resolvedSchema,
  type JsonSchema,
} from './declared-api/json-schema.ts';
import type { Rest } from './rest/rest.ts';

type Declared = JsonSchema & { const?: string };

/** The result schemas of the API's document, by model and view. */
export class DeclaredResults {
  readonly #schemas: Record<string, Declared>;
  readonly #compiled = new Map<string, ValidateFunction>();

  private constructor(schemas: Record<string, Declared>) {
    this.#schemas = schemas;
  }

  static async of(rest: Rest): Promise<DeclaredResults> {
    const { body } = await rest.get<{ components: { schemas: Record<string, Declared> } }>(
      '/api/openapi.json',
    );
    return new DeclaredResults(body.components.schemas);
  }

  /** How a result differs from its declared schema. A member that is not declared counts as a difference. */
  faults(result: Record<string, unknown>): string[] {
    const { model_id, view } = result as { model_id: string; view: string };
    const validate = this.#validatorOf(model_id, view);
    validate(result);
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
  }

  /** The places where the schema of a result allows anything. */
  freeForm(result: Record<string, unknown>): string[] {
    const { model_id, view } = result as { model_id: string; view: string };
    return freeFormObjects(this.#schemaOf(model_id, view));
  }

  #validatorOf(model: string, view: string): ValidateFunction {
    const key = `${model} ${view}`;
    const compiled = this.#compiled.get(key) ?? newAjv().compile(closedSchema(this.#schemaOf(model, view)));
    this.#compiled.set(key, compiled);
    return compiled;
  }

  #schemaOf(model: string, view: string): JsonSchema {
    const constant = (schema: Declared, name: string) => (schema.properties?.[name] as Declared)?.const;
    const declared = Object.values(this.#schemas).filter(
      (schema) => constant(schema, 'model_id') === model && constant(schema, 'view') === view,
    );
    if (declared.length !== 1)
      throw new Error(`${declared.length} results of ${model}, ${view}, are declared`);
    return resolvedSchema(declared[0]!, this.#schemas);
  }
}

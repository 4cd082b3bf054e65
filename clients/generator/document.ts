import { openApiDocument } from '#gateway/openapi/openapi.ts';
import { routes } from '#gateway/routes/index.ts';

/** A schema of the OpenAPI document, as far as the clients need it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
  description?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

interface Document {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}

/** The declared routes as OpenAPI, so no server is needed. */
export const DOCUMENT = openApiDocument(routes) as unknown as Document;

/** The name of a schema that has one. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}

/** The schema itself, where it is named elsewhere. */
export function resolved(schema: Schema): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : DOCUMENT.components.schemas[name]!;
}

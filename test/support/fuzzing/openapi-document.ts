import { resolvedSchema, type JsonSchema } from './json-schema.ts';

/** An input of an operation that is no body. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
}

/** What the document says of one answer; it has no body when it has no schema and is no file. */
export interface DeclaredAnswer {
  description: string;
  headers: string[];
  /** Of a JSON body. */
  schema: JsonSchema | undefined;
  isFile: boolean;
}

/** An operation of the document, its references resolved. */
export interface Operation {
  method: 'get' | 'post';
  path: string;
  operationId: string;
  parameters: Parameter[];
  /** Of the JSON body, where it takes one. */
  body: JsonSchema | undefined;
  answers: Record<number, DeclaredAnswer>;
}

interface Content {
  content?: { 'application/json'?: { schema: JsonSchema }; 'application/octet-stream'?: object };
}

interface RawOperation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, { description: string; headers: object } & Content>;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** The market-data operations that a running gateway describes. */
export function dataOperations(baseUrl: string): Promise<Operation[]> {
  return operationsOf(baseUrl, isMarketData);
}

export function isMarketData({ path }: { path: string }): boolean {
  return path.startsWith('/api/v1/data/');
}

/** The operations of a running gateway that are wanted. */
export async function operationsOf(
  baseUrl: string,
  isWanted: (operation: { path: string; operationId: string }) => boolean,
): Promise<Operation[]> {
  const answer = await fetch(`${baseUrl}/api/openapi.json`);
  const document = (await answer.json()) as OpenApiDocument;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => isWanted({ path, operationId }))
      .map(([method, raw]) =>
        operationOf({ ...raw, path, method: method as Operation['method'] }, document.components.schemas),
      ),
  );
}

type NamedSchemas = Record<string, JsonSchema>;

function operationOf(raw: RawOperation & Pick<Operation, 'path' | 'method'>, named: NamedSchemas): Operation {
  const { method, path, operationId, requestBody, responses } = raw;
  const answers = Object.entries(responses).map(([status, { description, headers, content }]) => [
    status,
    {
      ...{ description, headers: Object.keys(headers), schema: schemaOf(content, named) },
      isFile: content?.['application/octet-stream'] !== undefined,
    },
  ]);
  return {
    ...{ method, path, operationId },
    parameters: raw.parameters.map((parameter) => ({
      ...parameter,
      schema: resolvedSchema(parameter.schema, named),
    })),
    body: schemaOf(requestBody?.content, named),
    answers: Object.fromEntries(answers) as Operation['answers'],
  };
}

function schemaOf(content: Content['content'], named: NamedSchemas): JsonSchema | undefined {
  const json = content?.['application/json'];
  return json && resolvedSchema(json.schema, named);
}

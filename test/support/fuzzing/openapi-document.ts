import { resolvedSchema, type JsonSchema } from './json-schema.ts';

/** An input of an operation that is no body. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
}

/** What the document says of one answer; it has no body when it has no content. */
export interface DeclaredAnswer {
  description: string;
  headers: Record<string, JsonSchema>;
  content: 'JSON' | 'a file' | 'events' | undefined;
  /** Of a JSON body, or of the data of each event. */
  schema: JsonSchema | undefined;
}

/** An operation of the document, its references resolved. */
export interface Operation {
  method: 'get' | 'post';
  path: string;
  operationId: string;
  tag: string;
  /** Whether it needs the operator's token in place of a key. */
  isOperators: boolean;
  parameters: Parameter[];
  /** Of the JSON body, where it takes one. */
  body: JsonSchema | undefined;
  answers: Record<number, DeclaredAnswer>;
}

type MediaType = 'application/json' | 'application/octet-stream' | 'text/event-stream';

interface Content {
  content?: Partial<Record<MediaType, { schema: JsonSchema }>>;
}

type NamedSchemas = Record<string, JsonSchema>;

export interface RawOperation {
  operationId: string;
  tags: string[];
  security: { operator?: string[] }[];
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, { description: string; headers: Record<string, { $ref: string }> } & Content>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: NamedSchemas; headers: Record<string, { schema: JsonSchema }> };
}

/** The market-data operations that a running gateway describes. */
export function dataOperations(baseUrl: string): Promise<Operation[]> {
  return operationsOf(baseUrl, isMarketData);
}

export function isMarketData({ path }: { path: string }): boolean {
  return path.startsWith('/api/v1/data/');
}

/** What a running gateway says of itself. */
export async function documentOf(baseUrl: string): Promise<OpenApiDocument> {
  const answer = await fetch(`${baseUrl}/api/openapi.json`);
  return (await answer.json()) as OpenApiDocument;
}

/** The operations of a running gateway: all, or those that are wanted. */
export async function operationsOf(
  baseUrl: string,
  isWanted: (operation: { path: string }) => boolean = () => true,
): Promise<Operation[]> {
  const document = await documentOf(baseUrl);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => isWanted({ path }))
      .map(([method, raw]) =>
        operationOf({ ...raw, path, method: method as Operation['method'] }, document.components),
      ),
  );
}

function operationOf(
  raw: RawOperation & Pick<Operation, 'path' | 'method'>,
  components: OpenApiDocument['components'],
): Operation {
  const { schemas: named } = components;
  const { method, path, operationId, tags, requestBody, responses } = raw;
  const answers = Object.entries(responses).map(([status, { description, headers, content }]) => [
    status,
    {
      description,
      content: kindOf(content),
      schema: schemaOf(content, named),
      headers: headersOf(headers, components.headers),
    },
  ]);
  return {
    method,
    path,
    operationId,
    tag: tags[0]!,
    isOperators: raw.security.some(({ operator }) => operator !== undefined),
    parameters: raw.parameters.map((parameter) => ({
      ...parameter,
      schema: resolvedSchema(parameter.schema, named),
    })),
    body: schemaOf(requestBody?.content, named),
    answers: Object.fromEntries(answers) as Operation['answers'],
  };
}

/** Each refers to the one of its name. */
function headersOf(
  declared: object,
  named: OpenApiDocument['components']['headers'],
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.keys(declared).map((name) => [name, named[name]!.schema]));
}

function schemaOf(content: Content['content'], named: NamedSchemas): JsonSchema | undefined {
  const described = content?.['application/json'] ?? content?.['text/event-stream'];
  return described && resolvedSchema(described.schema, named);
}

function kindOf(content: Content['content'] = {}): DeclaredAnswer['content'] {
  if (content['application/json']) return 'JSON';
  if (content['application/octet-stream']) return 'a file';
  return content['text/event-stream'] && 'events';
}

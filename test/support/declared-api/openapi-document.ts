import { resolvedSchema, type JsonSchema } from './json-schema.ts';

/** An input in the path, the query or a header. */
export interface Parameter {
  name: string;
  description: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
}

/** How the document describes one response. `content` is undefined for a response without a body. */
export interface DeclaredResponse {
  description: string;
  headers: Record<string, JsonSchema>;
  content: 'JSON' | 'a file' | 'events' | undefined;
  /** Whether `format=csv` returns the rows of the body alone, as CSV. */
  isAlsoCsv: boolean;
  /** The schema of a JSON body, or of the data of each event. */
  schema: JsonSchema | undefined;
}

/** An operation of the document, its references resolved. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  operationId: string;
  tag: string;
  /** Whether it needs a key. */
  needsKey: boolean;
  /** Whether it needs the operator's token instead. */
  isOperators: boolean;
  /** The scope that the key must have, if any. */
  scope: string | undefined;
  parameters: Parameter[];
  /** The schema of the JSON body, if the operation takes one. */
  body: JsonSchema | undefined;
  answers: Record<number, DeclaredResponse>;
  /** Every code that the operation declares for its refusals. */
  errors: { status: number; code: string }[];
}

type MediaType = 'application/json' | 'text/csv' | 'application/octet-stream' | 'text/event-stream';

interface Content {
  content?: Partial<Record<MediaType, { schema: JsonSchema }>>;
}

type NamedSchemas = Record<string, JsonSchema>;

interface RawOperation {
  operationId: string;
  tags: string[];
  security: { bearer?: string[]; operator?: string[] }[];
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, { description: string; headers: Record<string, { $ref: string }> } & Content>;
  'x-codeSamples': { lang: string; label: string; source: string }[];
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: NamedSchemas; headers: Record<string, { schema: JsonSchema }> };
}

/** The market-data operations that a running gateway describes. */
export async function dataOperations(baseUrl: string): Promise<Operation[]> {
  return (await operationsOf(baseUrl)).filter(({ scope }) => scope === 'data:read');
}

/** The OpenAPI document that a running gateway serves. */
export async function documentOf(baseUrl: string): Promise<OpenApiDocument> {
  const response = await fetch(`${baseUrl}/api/openapi.json`);
  return (await response.json()) as OpenApiDocument;
}

/** The operations of a running gateway: all of them, or those that `isWanted` accepts. */
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
  const replies = Object.entries(responses).map(([status, { description, headers, content }]) => {
    const schema = schemaOf(content, named);
    const isAlsoCsv = content?.['text/csv'] !== undefined;
    const declared = { description, content: kindOf(content), isAlsoCsv, schema };
    return [Number(status), { ...declared, headers: headersOf(headers, components.headers) }] as const;
  });
  return {
    method,
    path,
    operationId,
    tag: tags[0]!,
    needsKey: raw.security.some(({ bearer }) => bearer !== undefined),
    isOperators: raw.security.some(({ operator }) => operator !== undefined),
    scope: raw.security[0]?.bearer?.[0],
    parameters: raw.parameters.map((parameter) => ({
      ...parameter,
      schema: resolvedSchema(parameter.schema, named),
    })),
    body: schemaOf(requestBody?.content, named),
    answers: Object.fromEntries(replies),
    errors: replies
      .filter(([status]) => status >= 400)
      .flatMap(([status, { schema }]) =>
        codesOf(schema, `${operationId} with ${status}`).map((code) => ({ status, code })),
      ),
  };
}

/** The codes of an error envelope. */
function codesOf(schema: JsonSchema | undefined, what: string): string[] {
  const codes = schema?.properties?.['error']?.properties?.['code']?.enum;
  if (!codes) throw new Error(`the document does not say which codes there are of ${what}`);
  return codes.map(String);
}

/** The headers of a response: each is a reference to the component of the same name. */
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

function kindOf(content: Content['content'] = {}): DeclaredResponse['content'] {
  if (content['application/json']) return 'JSON';
  if (content['application/octet-stream']) return 'a file';
  return content['text/event-stream'] && 'events';
}

/** The names of the inputs in one part of the request. */
export function namesOf({ parameters }: Operation, where: Parameter['in']): string[] {
  return parameters.filter((parameter) => parameter.in === where).map(({ name }) => name);
}

/** An input that goes into the path, the query or a header. */
export interface DeclaredInput {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: { type?: string; enum?: string[]; minimum?: number; maximum?: number };
}

export interface DeclaredError {
  status: number;
  code: string;
}

/** What the document says of one endpoint that matters to who must refuse what. */
export interface DeclaredOperation {
  method: 'get' | 'post';
  path: string;
  operationId: string;
  /** Whether it needs a key. */
  needsKey: boolean;
  /** Whether it needs the operator's token instead. */
  isOperators: boolean;
  /** The scope that the key must have, if any. */
  scope: string | undefined;
  inputs: DeclaredInput[];
  takesBody: boolean;
  errors: DeclaredError[];
}

interface RawOperation {
  operationId: string;
  security: { bearer?: string[]; operator?: string[] }[];
  parameters: DeclaredInput[];
  requestBody?: object;
  responses: Record<string, { content?: { 'application/json'?: { schema: ErrorSchema } } }>;
}

interface ErrorSchema {
  properties?: { error?: { properties?: { code?: { enum?: string[] } } } };
}

/** Every operation that a running gateway describes. */
export async function declaredOperations(baseUrl: string): Promise<DeclaredOperation[]> {
  const answer = await fetch(`${baseUrl}/api/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, RawOperation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      method: method as DeclaredOperation['method'],
      path,
      operationId: raw.operationId,
      needsKey: raw.security.some(({ bearer }) => bearer !== undefined),
      isOperators: raw.security.some(({ operator }) => operator !== undefined),
      scope: raw.security[0]?.bearer?.[0],
      inputs: raw.parameters,
      takesBody: raw.requestBody !== undefined,
      errors: errorsOf(raw),
    })),
  );
}

function errorsOf({ operationId, responses }: RawOperation): DeclaredError[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content }]) => {
      const codes = content?.['application/json']?.schema.properties?.error?.properties?.code?.enum;
      if (!codes) throw new Error(`${operationId} does not say which codes it answers with ${status}`);
      return codes.map((code) => ({ status: Number(status), code }));
    });
}

/** The names of its inputs of one kind. */
export function namesOf({ inputs }: DeclaredOperation, where: DeclaredInput['in']): string[] {
  return inputs.filter((input) => input.in === where).map(({ name }) => name);
}

import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import type { TObject, TSchema, TUnsafe } from 'typebox';
import type { CheckedRequestOf } from '#platform/grpc/method-types.ts';
import { named } from '#foundation/schema.ts';
import { commentOf, methodAt, rulesOf, rulesOfMessage } from '#platform/wire/descriptors.ts';
import { isOfProtobuf, responseSchema, isTimestamp, requestSchema } from '#platform/wire/message-schema.ts';
import { momentOf, type MomentFormat } from '#platform/wire/moment.ts';
import { oneOf } from '../schemas/common.ts';
import { CALLED } from './called-services.ts';

type Definitions = { [Name in keyof typeof CALLED]: (typeof CALLED)[Name]['definition'] };
export type Service = keyof Definitions;
/** A call: the name of its service, and its own name there. */
export type Rpc = { [S in Service]: readonly [S, keyof Definitions[S] & string] }[Service];

export function methodOf([service, name]: Rpc): DescMethod {
  const methods = CALLED[service].definition as unknown as Record<string, { path: string }>;
  return methodAt(methods[name]!.path)!;
}

/** Names that are separated by commas. */
export function namesIn(text = ''): string[] {
  return text.split(',').map((name) => name.trim()).filter((name) => name !== ''); // prettier-ignore
}

/** How rows can be returned, apart from the request to the service. */
export const FORMAT = oneOf(['json', 'csv'], {
  default: 'json',
  description: 'Form of the response: `json`, or the rows alone as `csv`. Errors are always JSON.',
});

type Fields = Record<string, unknown>;

/** Converts a client's inputs to the service's request: renames fields to the service's names, and parses timestamps. */
export function requestOf(
  fields: readonly DescField[],
  sent: Fields,
  names: Record<string, string> = {},
): Fields {
  const request: Fields = {};
  for (const field of fields) {
    const value = sent[names[field.name] ?? field.name];
    if (value !== undefined && value !== null) request[field.name] = valueOf(field, value);
    else if (field.fieldKind === 'list') request[field.name] = [];
  }
  return request;
}

function valueOf(field: DescField, sent: unknown): unknown {
  if (isTimestamp(field)) return momentOf(rulesOf(field).format as MomentFormat, sent as string);
  const isObject = field.fieldKind === 'message' && !isOfProtobuf(field.message);
  return isObject ? requestOf(field.message.fields, sent as Fields) : sent;
}

/** The schema of an object, typed like the message. */
type TypedObject<T> = TObject<{ [Name in keyof T]-?: TUnsafe<T[Name]> }>;
/** Optional members of a body may be null. */
type Sent<T> = { [Name in keyof T]: undefined extends T[Name] ? T[Name] | null : T[Name] };

type RequestTo<S extends Service, M extends keyof Definitions[S]> = CheckedRequestOf<Definitions[S][M]>;

/** The body schema of a call: these fields of its request. */
export function bodySchema<
  S extends Service,
  M extends keyof Definitions[S] & string,
  Name extends keyof RequestTo<S, M> & string,
>(rpc: readonly [S, M], names: readonly Name[]): TypedObject<Sent<Pick<RequestTo<S, M>, Name>>> {
  const { input } = methodOf(rpc as unknown as Rpc);
  return bodyOf(input, fieldsOf(input, names)) as never;
}

export function bodyOf(message: DescMessage, fields: readonly DescField[]): TObject {
  const schema = requestSchema(fields, { description: commentOf(message), part: 'body' });
  return named(rulesOfMessage(message).schema || message.name, schema);
}

/** The path schema of a call: these fields of its request. */
export function pathSchema<
  S extends Service,
  M extends keyof Definitions[S] & string,
  Name extends keyof RequestTo<S, M> & string,
>(rpc: readonly [S, M], names: readonly Name[]): TypedObject<Pick<RequestTo<S, M>, Name>> {
  return requestSchema(fieldsOf(methodOf(rpc as unknown as Rpc).input, names), { part: 'path' }) as never;
}

/** The same for the query. */
export function querySchema<
  S extends Service,
  M extends keyof Definitions[S] & string,
  Name extends keyof RequestTo<S, M> & string,
>(rpc: readonly [S, M], names: readonly Name[]): TypedObject<Pick<RequestTo<S, M>, Name>> {
  return requestSchema(fieldsOf(methodOf(rpc as unknown as Rpc).input, names)) as never;
}

function fieldsOf({ fields }: DescMessage, names: readonly string[]): DescField[] {
  return names.map((name) => fields.find((field) => field.name === name)!);
}

/** The response schema of a call, for a route with its own handler. */
export function responseOf(rpc: Rpc): TSchema {
  return responseSchema(methodOf(rpc).output);
}

import type { TObject, TSchema } from 'typebox';
import { allCalls, type Call } from './calls.ts';
import { snakeCase } from './words.ts';

type Values = Record<string, unknown>;

/** A call with all its inputs, what it must send, and what it returns of the answer. */
export interface EndpointCase {
  call: string;
  arguments: unknown[];
  keywords: Values;
  /** Method and path. */
  request: string;
  query: Record<string, string>;
  /** null for none. */
  body: Values | null;
  /** Whether an idempotency key goes along. */
  is_keyed: boolean;
  /** Whether it is sent again when the server was unavailable: unless it could do twice what its caller wants once. */
  is_repeatable: boolean;
  answer: unknown;
  result: unknown;
  only?: 'browsers';
}

/** Their inputs or outcomes follow no rule. `clients/cases/` has cases of each. */
const OF_THEIR_OWN = ['runs.submit', 'jobs.follow', 'backfills.pages', 'consent.accept', 'events.list'];
/** Clients send the `cursor` of a list themselves, and no method asks for CSV. */
const NOT_OF_METHODS = ['cursor', 'format'];
const FILE = 'bytes of a file';

/** A case for every call whose inputs and outcome follow from its declaration. */
export function endpointCases(): EndpointCase[] {
  return allCalls()
    .filter(({ route }) => !OF_THEIR_OWN.includes(route.client!))
    .map(caseOf);
}

function caseOf(call: Call): EndpointCase {
  const { route, arguments: places, fields } = call;
  const values = {
    path: valuesOf(route.params),
    query: valuesOf(route.query, NOT_OF_METHODS),
    body: valuesOf(route.body as TObject | undefined),
  };
  // A method takes the body, where there is one, and no query beside it.
  if (route.body) values.query = {};
  const isPlaced = (name: string) => places.some((one) => one.name === name);
  const given = Object.entries(fields?.in === 'body' ? values.body : values.query);
  const listed = (name: string, value: unknown) =>
    fields?.lists.includes(name) ? (value as string).split(',') : value;
  const text = Object.entries(values.query).map(([name, value]) => [name, String(value)]);
  return {
    call: route.client!.split('.').map(snakeCase).join('.'),
    arguments: places.map(({ name, in: where, isList }) => {
      const value = values[where][name];
      return isList && where === 'query' ? (value as string).split(',') : value;
    }),
    keywords: Object.fromEntries(
      given.filter(([name]) => !isPlaced(name)).map(([name, value]) => [name, listed(name, value)]),
    ),
    request: `${route.method.toUpperCase()} ${route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values.path[name]))}`,
    query: Object.fromEntries(text) as Record<string, string>,
    body: route.body ? values.body : null,
    is_keyed: route.repeatable === 'by its key',
    is_repeatable: route.method === 'get' || (route.method === 'post' && route.repeatable !== 'never'),
    ...outcome(call),
    ...(route.client === 'sessions.start' && { only: 'browsers' }),
  };
}

function outcome({ answer, member, isPaged }: Call): Pick<EndpointCase, 'answer' | 'result'> {
  if (!answer) return { answer: FILE, result: FILE };
  const whole = { told: 'all of it' };
  if (member === undefined) return { answer: whole, result: whole };
  const items = [{ told: 'an item' }];
  return { answer: { ...whole, [member]: items, ...(isPaged && { next_cursor: null }) }, result: items };
}

/** A value of each input. Clients check none, so it need not be valid. */
function valuesOf(schema: TObject | undefined, without: string[] = []): Values {
  const inputs = Object.entries(schema?.properties ?? {}).filter(([name]) => !without.includes(name));
  return Object.fromEntries(inputs.map(([name, input]) => [name, valueOf(name, input)]));
}

function valueOf(name: string, schema: TSchema): unknown {
  const { examples, type, anyOf } = schema as TSchema & {
    examples?: unknown[];
    type?: string;
    anyOf?: TSchema[];
  };
  if (examples?.[0] !== undefined) return examples[0];
  if (anyOf) return valueOf(name, anyOf[0]!);
  const ofType: Record<string, unknown> = {
    integer: 7,
    number: 2.5,
    boolean: true,
    array: [name],
    object: { [name]: 1 },
  };
  return ofType[type ?? ''] ?? name;
}

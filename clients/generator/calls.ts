import { routes } from '#gateway/routes/index.ts';
import type { DeclaredRoute } from '#gateway/declarations/route.ts';
import { DOCUMENT, resolved, type Operation, type Schema } from './document.ts';

/** A positional argument of a method. */
export interface Argument {
  /** The API's name. */
  name: string;
  /** The name in a signature, in snake case. */
  as: string;
  in: 'path' | 'query' | 'body';
  isList: boolean;
}

/** The inputs that a method takes by name. All of them go into the query, or all into the body. */
export interface Fields {
  in: 'query' | 'body';
  schemas: Record<string, Schema>;
  isRequired: boolean;
  /** Inputs that are lists in the clients, and separated by commas in the query. */
  lists: string[];
  /** Inputs of the query or the body that the method does not take by name. */
  without: string[];
}

/** A call that a method of the clients makes, with all that its declaration says of it. */
export interface Call {
  resource: string;
  /** In camel case. */
  name: string;
  route: DeclaredRoute;
  /** For application developers, in Markdown, on one line. */
  about: string;
  arguments: Argument[];
  /** undefined if there are none. */
  fields: Fields | undefined;
  /** The schema of the answer; undefined for a file. */
  answer: Schema | undefined;
  /** The member that a method returns, if it is not the whole answer. */
  member: string | undefined;
  /** Whether the answer is a page of a list, which is read page by page. */
  isPaged: boolean;
}

/** Arguments that have another name in the clients: a shorter one, or one that is no reserved word. */
const NAMES: Record<string, string> = { model_id: 'model', broker_code: 'broker', with: 'before' };
const SEPARATED_BY_COMMAS = ['tickers', 'fields', 'columns'];
/** No method takes it: CSV is of another type, and comes as bytes by `rest`. */
const FORMAT = 'format';
/** Methods that returned the whole answer when they were released, and go on doing so. */
const RETURNED_WHOLE = ['usage.requests'];
/** What an answer may have beside a list without being more than that list. */
const BESIDE = ['count', 'next_cursor', 'has_more', 'dataset_version'];
/** Calls whose methods are written by hand in all clients, since they do more than the call. */
const WRITTEN = [
  'runs.submit',
  'jobs.follow',
  'backfills.pages',
  'screens.run',
  'consent.accept',
  'events.list',
];

/** Every call that clients wrap, in the order of the reference. */
export function allCalls(): Call[] {
  return routes.filter(({ client }) => client !== undefined).map(callOf);
}

/** The calls whose methods are generated, by resource. `without` are further ones that a client writes by hand, or lacks. */
export function generatedCalls(without: string[]): Map<string, Call[]> {
  const written = [...WRITTEN, ...without];
  const plain = allCalls().filter(
    ({ resource, route }) => resource !== '' && !written.includes(route.client!),
  );
  return Map.groupBy(plain, ({ resource }) => resource);
}

/** The POST requests that may be repeated, by path, and why. */
export function repeatablePosts(): Record<string, 'by its key' | 'by nature'> {
  return Object.fromEntries(
    routes.flatMap(({ path, repeatable }) =>
      repeatable === undefined || repeatable === 'never' ? [] : [[path, repeatable]],
    ),
  );
}

function callOf(route: DeclaredRoute): Call {
  const operation = DOCUMENT.paths[route.path]![route.method]!;
  const [name = '', resource = ''] = route.client!.split('.').toReversed();
  const answer = answerOf(operation);
  const { next_cursor: cursor } = answer === undefined ? {} : propertiesOf(answer);
  const given = inputsOf(operation);
  return {
    resource,
    name,
    route,
    about: aboutOf(route, cursor !== undefined),
    ...given,
    answer,
    member: answer && !RETURNED_WHOLE.includes(route.client!) ? memberOf(answer, given.arguments) : undefined,
    isPaged: cursor !== undefined,
  };
}

export function propertiesOf(schema: Schema): Record<string, Schema> {
  return resolved(schema).properties ?? {};
}

/** Positional are the parameters of the path, required ones of the query, and a list that is all that a body requires. */
function inputsOf({ parameters = [], requestBody }: Operation): Pick<Call, 'arguments' | 'fields'> {
  const places: Argument[] = parameters
    .filter((one) => one.in === 'path' || (one.in === 'query' && one.required))
    .map((one) => argument(one.name, one.in as 'path' | 'query', SEPARATED_BY_COMMAS.includes(one.name)));
  const body = requestBody && resolved(requestBody.content['application/json']!.schema);
  if (body) {
    const { properties = {}, required = [] } = body;
    const [only] = required.length === 1 ? required : [];
    if (only !== undefined && properties[only]!.type === 'array') places.push(argument(only, 'body', true));
    return { arguments: places, fields: fieldsOf('body', properties, required, places) };
  }
  const query = parameters.filter((one) => one.in === 'query');
  const schemas = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  return { arguments: places, fields: fieldsOf('query', schemas, [], places) };
}

function argument(name: string, where: Argument['in'], isList: boolean): Argument {
  return { name, as: NAMES[name] ?? name, in: where, isList };
}

function fieldsOf(
  where: Fields['in'],
  all: Record<string, Schema>,
  required: string[],
  places: Argument[],
): Fields | undefined {
  const placed = places.filter((place) => place.in === where).map(({ name }) => name);
  const without = [...placed, ...(FORMAT in all ? [FORMAT] : [])];
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)));
  if (Object.keys(schemas).length === 0) return undefined;
  const lists = where === 'query' ? SEPARATED_BY_COMMAS.filter((name) => name in schemas) : [];
  return { in: where, schemas, isRequired: required.some((name) => name in schemas), lists, without };
}

function answerOf({ responses }: Operation): Schema | undefined {
  const content = [200, 201, 202].map((status) => responses[status]?.content?.['application/json']);
  return content.find((one) => one !== undefined)?.schema;
}

/**
 * The list or map of an answer that tells nothing else: a count, the dataset version and the caller's own arguments are known
 * without it. The answer may also be a page, whose list goes on.
 */
function memberOf(answer: Schema, asked: Argument[]): string | undefined {
  const properties = Object.entries(propertiesOf(answer));
  const isPage = properties.some(([name]) => name === 'next_cursor');
  const isMany = ({ type, properties: named }: Schema) =>
    type === 'array' || (type === 'object' && named === undefined);
  const told = properties.filter(
    ([name]) => !BESIDE.includes(name) && !asked.some((one) => one.name === name),
  );
  const many = told.filter(([, schema]) => isMany(schema)).map(([name]) => name);
  return isPage || told.length === 1 ? many[0] : undefined;
}

/** The first paragraph of the description, without what clients do by themselves, and with what only they have to say. */
function aboutOf({ description, query, repeatable }: DeclaredRoute, isPaged: boolean): string {
  const [paragraph = ''] = description.split(/\n\s*\n/);
  const sentences = paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?])(?<!\b(?:e\.g|i\.e)\.) (?=[A-Z`*])/);
  return [
    ...sentences.filter(
      (sentence) => !/`next_cursor`|`format=csv`|`X-Next-Cursor`|Takes no body/.test(sentence),
    ),
    ...(isPaged ? ['`limit` is the size of a page.'] : []),
    ...(query && FORMAT in query.properties ? ['CSV comes as bytes, by `rest`.'] : []),
    ...(repeatable === 'by its key' ? ['Accepted only once, however often the request is repeated.'] : []),
    ...(repeatable === 'never' ? ['Never repeated: if no answer came, it may have been done.'] : []),
  ].join(' ');
}

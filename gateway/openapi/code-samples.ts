import { inspect } from 'node:util';
import type { TObject, TSchema } from 'typebox';
import { credentialOf, type DeclaredRoute } from '../declarations/route.ts';
import { END_USER_HEADER } from './openapi-headers.ts';

/** Code that calls an endpoint, in the form of the extension `x-codeSamples`. */
interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python';
  label: string;
  source: string;
}

interface SampleInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const END_USER = END_USER_HEADER.schema.examples[0]!;

/** One sample for each language, made of the declaration of the endpoint and the examples in its schemas. */
export function codeSamplesOf(route: DeclaredRoute): CodeSample[] {
  const input = sampleInput(route);
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(route, input) },
    { lang: 'TypeScript', label: '@saring/client', source: typescriptOf(route, input) },
    { lang: 'Python', label: 'saring', source: pythonOf(route, input) },
  ];
}

/** What the samples send: required parameters, and members of the body that are required or have an example. */
function sampleInput({ params, query, body, sample = {} }: DeclaredRoute): SampleInput {
  const ofPath = examplesIn(params, isRequired);
  const ofQuery = { ...examplesIn(query, isRequired), ...sample.query };
  const ofBody = sample.body ?? examplesIn(body as TObject | undefined, hasExample);
  return {
    ...(params && { path: ofPath }),
    ...(Object.keys(ofQuery).length > 0 && { query: ofQuery }),
    ...(body && { body: ofBody }),
  };
}

type Wanted = (schema: TObject, name: string) => boolean;

const isRequired: Wanted = ({ required, properties }, name) =>
  ((required ?? []) as string[]).includes(name) && !('default' in properties[name]!);
const hasExample: Wanted = ({ properties }, name) => exampleOf(properties[name]!) !== undefined;

function examplesIn(schema: TObject | undefined, isWanted: Wanted): Record<string, unknown> {
  const wanted = Object.entries(schema?.properties ?? {}).filter(([name]) => isWanted(schema!, name));
  return Object.fromEntries(wanted.map(([name, property]) => [name, exampleOf(property)]));
}

function exampleOf(schema: TSchema): unknown {
  return (schema as { examples?: unknown[] }).examples?.[0];
}

function curlOf(route: DeclaredRoute, { path = {}, query = {}, body }: SampleInput): string {
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inUrl(path[name]));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${inUrl(value)}`);
  const url = `"$SARING_URL${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}"`;
  const credential = {
    none: [],
    key: ['"X-API-Key: $SARING_KEY"'],
    operator: ['"Authorization: Bearer $OPERATOR_TOKEN"'],
  };
  const headers = [
    ...credential[credentialOf(route)],
    ...(route.needsEndUser ? [`'X-End-User: ${END_USER}'`] : []),
    ...(route.takesIdempotencyKey ? ['"Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json'"]),
  ].map((header) => `-H ${header}`);
  const method = route.method === 'get' ? '' : ` -X ${route.method.toUpperCase()}`;
  const data = body === undefined ? [] : [`-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`];
  return [`curl ${flagsOf(route)}${method} ${url}`, ...headers, ...data].join(' \\\n  ');
}

/** Silent but for errors. A stream is shown as it comes, and a file is stored under its own name. */
function flagsOf({ answers }: DeclaredRoute): string {
  if (answers === 'file') return '-sSOJ';
  return answers === 'event stream' ? '-sSN' : '-sS';
}

/** Commas separate the values of a list, and stay readable. */
function inUrl(value: unknown): string {
  return encodeURIComponent(String(value)).replaceAll('%2C', ',');
}

/** The variable of the environment that has the credential. */
function secretOf(route: DeclaredRoute): string {
  return credentialOf(route) === 'operator' ? 'OPERATOR_TOKEN' : 'SARING_KEY';
}

function typescriptOf(route: DeclaredRoute, input: SampleInput): string {
  const endUser = route.needsEndUser ? `, endUser: '${END_USER}'` : '';
  return `import { SaringClient } from '@saring/client';

const { SARING_URL: baseUrl = '', ${secretOf(route)}: apiKey = '' } = process.env;
const saring = new SaringClient({ baseUrl, apiKey${endUser} });
${route.sample?.typescript ?? callOf(route, input)}
`;
}

function callOf({ method, path, answers }: DeclaredRoute, input: SampleInput): string {
  const given =
    Object.keys(input).length === 0 ? '' : `, ${inspect(input, { depth: null, breakLength: 90 })}`;
  if (answers === 'file')
    return `const file = await saring.rest.bytes('${path}'${given});\nconsole.log(file.length);`;
  return `const answer = await saring.rest.${method}('${path}'${given});\nconsole.log(answer);`;
}

function pythonOf(route: DeclaredRoute, input: SampleInput): string {
  const endUser = route.needsEndUser ? `, end_user="${END_USER}"` : '';
  const call = route.sample?.python ?? pythonCallOf(route, input);
  return `import os

from saring import Saring

url, key = os.environ["SARING_URL"], os.environ.get("${secretOf(route)}", "")
with Saring(base_url=url, api_key=key${endUser}) as saring:
    ${call.replaceAll('\n', '\n    ')}
`;
}

function pythonCallOf({ method, path, answers }: DeclaredRoute, input: SampleInput): string {
  const { path: ofPath = {}, query, body } = input;
  const given = [
    JSON.stringify(path),
    ...(query === undefined ? [] : [`query=${pythonValue(query)}`]),
    ...(body === undefined ? [] : [`body=${pythonValue(body)}`]),
    ...Object.entries(ofPath).map(([name, value]) => `${name}=${pythonValue(value)}`),
  ].join(', ');
  if (answers === 'file') return `print(len(saring.rest.bytes(${given})))`;
  return `print(saring.rest.${method}(${given}))`;
}

/** A value of JSON as Python writes it. */
function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${pythonValue(member)}`,
  );
  return `{${members.join(', ')}}`;
}

import { expect, test } from 'vitest';
import { EVERY_SERVICE } from '#support/grpc/every-service.ts';
import { ERROR_TABLE } from '#foundation/errors/error-codes.ts';
import { Caller, type Rest } from '#proto/saring/wire/v1/calls.ts';
import { callAt, methodAt, routesOf } from '#platform/wire/descriptors.ts';
import { SCOPES } from '#shared/scopes.ts';
import { routes } from '../routes/index.ts';
import { CALLED } from './called-services.ts';
import { TAGS } from './route.ts';

const ACCESSES = ['anybody', 'any key', 'the operator', ...Object.keys(SCOPES)];
const ANSWERS = [
  '',
  'market data',
  'dataset',
  'run result',
  'results',
  'explanation',
  'file',
  'event stream',
];

const pathsOf = (services: object) =>
  Object.values(services as typeof EVERY_SERVICE).flatMap(({ definition }) =>
    Object.values(definition).map(({ path }) => path),
  );
const CALLABLE = pathsOf(CALLED);

/** What cannot be true of a route of the call with this path. */
function mistakesIn(path: string, rest: Rest): string[] {
  const { pattern, title, tag, access, answers, names, without, unknown_id, needs_end_user } = rest;
  const fields = methodAt(path)!.input.fields.map(({ name }) => name);
  const callers = callAt(path)!.callers;
  const gateway = access === 'the operator' ? Caller.CALLER_OPERATOR : Caller.CALLER_GATEWAY;
  const nameOf = (rested: string) => Object.keys(names).find((name) => names[name] === rested) ?? rested;
  const inPath = [...(pattern?.value ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => nameOf(name!));
  const needed = [...inPath, ...Object.keys(names), ...without, ...(needs_end_user ? ['end_user'] : [])];
  const codes = [...rest.errors, ...(unknown_id ? [unknown_id] : [])];
  const checks: [isTrue: boolean, mistake: string][] = [
    [pattern !== undefined && title !== '', 'no path or no title'],
    [CALLABLE.includes(path), 'the gateway does not know the service'],
    [callers.includes(Caller.CALLER_ANYONE) || callers.includes(gateway), 'the call refuses the gateway'],
    [inPath.length === 0 || unknown_id !== '', 'no code for a malformed id'],
    [(TAGS as readonly string[]).includes(tag), `no tag ${tag}`],
    [ACCESSES.includes(access), `no access ${access}`],
    [ANSWERS.includes(answers), `no answer ${answers}`],
    [(access === 'data:read') === (answers === 'market data'), 'data:read covers exactly the market data'],
    ...needed.map((name): [boolean, string] => [fields.includes(name), `no field ${name}`]),
    ...codes.map((code): [boolean, string] => [code in ERROR_TABLE, `no error code ${code}`]),
  ];
  return checks.filter(([isTrue]) => !isTrue).map(([, mistake]) => mistake);
}

test.each(pathsOf(EVERY_SERVICE))('%s says who may call it, and nothing impossible of its routes', (path) => {
  expect(callAt(path)!.callers).not.toEqual([]);
  const [, ...further] = routesOf(methodAt(path)!);
  expect(routesOf(methodAt(path)!).flatMap((rest) => mistakesIn(path, rest))).toEqual([]);
  expect(further.every(({ description }) => description !== '')).toBe(true);
});

test('no endpoint has the operation, the client method, or the path and method of another one', () => {
  for (const idOf of [
    ({ operationId }: (typeof routes)[number]) => operationId,
    ({ client, operationId }: (typeof routes)[number]) => client ?? operationId,
    ({ method, path }: (typeof routes)[number]) => `${method} ${path}`,
  ])
    expect(new Set(routes.map(idOf)).size).toBe(routes.length);
});

test('no path is taken for an id of an earlier one', () => {
  const paths = routes.map(({ path }) => path);
  for (const [at, path] of paths.entries()) {
    const fits = (earlier: string) =>
      earlier !== path && new RegExp(`^${earlier.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
    expect(paths.slice(0, at).filter(fits)).toEqual([]);
  }
});

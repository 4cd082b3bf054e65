import { wrapped } from '#foundation/text/wrapped.ts';
import { generatedCalls, propertiesOf, type Argument, type Call } from './calls.ts';
import type { Schema } from './document.ts';
import { keyword, typeOf } from './python-types.ts';
import { resourceNamed } from './resources.ts';
import { capitalized, snakeCase } from './words.ts';

/** Only pages in a browser have cookies. */
const WITHOUT = ['sessions.start'];
const WIDTH = 100;

/** A module with the classes of the asynchronous client whose methods are one call each. */
export function callsModule(): string {
  const classes = [...generatedCalls(WITHOUT)].map(([resource, calls]) => classOf(resource, calls));
  return `# Generated from the routes of the gateway.
from collections.abc import Sequence
from typing import Any, List, Unpack

from saring.asynchronous.paged import AsyncPaged
from saring.asynchronous.resource import AsyncResource
from saring.gen import types
from saring.request import fields_of, given


${classes.join('\n\n')}`;
}

function classOf(resource: string, calls: Call[]): string {
  const { about, className } = resourceNamed(resource);
  return `class Async${className}(AsyncResource):
${docstring(about, 4)}

${calls.map(methodOf).join('\n')}`;
}

function docstring(text: string, indent: number): string {
  const margin = ' '.repeat(indent);
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const [first = '', ...others] = wrapped(`"""${safe}`, WIDTH - indent);
  if (others.length === 0 && first.length + 3 <= WIDTH - indent) return `${margin}${first}"""`;
  return [first, ...others, '"""'].map((line) => `${margin}${line}`).join('\n');
}

function methodOf(call: Call): string {
  const { name, about, isPaged } = call;
  const head = laidOut(
    `    ${isPaged ? '' : 'async '}def ${snakeCase(name)}(`,
    ['self', ...call.arguments.map(parameter), ...keywords(call)],
    `) -> ${returnType(call)}:`,
  );
  return `${head}\n${docstring(about, 8)}\n${body(call)}\n`;
}

/** A call or signature on one line if it fits, and otherwise with its parts on the next one, or on one each. */
function laidOut(head: string, parts: string[], tail: string): string {
  const line = `${head}${parts.join(', ')}${tail}`;
  if (line.length <= WIDTH) return line;
  const margin = ' '.repeat(/^ */.exec(line)![0].length);
  const next = `${margin}    ${parts.join(', ')}`;
  const lines = next.length <= WIDTH ? [next] : parts.map((part) => `${margin}    ${part},`);
  return [head, ...lines, `${margin}${tail}`].join('\n');
}

const parameter = ({ as, isList }: Argument) => `${as}: ${isList ? 'Sequence[str]' : 'str'}`;

/** One keyword is written out, as are those beside inputs that have places. More are a TypedDict with their descriptions. */
function isWrittenOut({ fields, arguments: places }: Call): boolean {
  if (!fields) return false;
  const isApart = fields.lists.length > 0 || places.some((one) => one.in === fields.in);
  return isApart || (fields.in === 'query' && Object.keys(fields.schemas).length === 1);
}

function keywords(call: Call): string[] {
  const { fields, route } = call;
  const key = route.takesIdempotencyKey ? ['idempotency_key: str | None = None'] : [];
  if (fields && isWrittenOut(call)) {
    const written = Object.entries(fields.schemas).map(([name, schema]) => {
      const type = fields.lists.includes(name) ? 'Sequence[str]' : annotation(schema);
      return `${keyword(name)}: ${type} | None = None`;
    });
    return ['*', ...written, ...key];
  }
  const input = `types.${capitalized(route.operationId)}Input`;
  return [...(key.length > 0 ? ['*', ...key] : []), ...(fields ? [`**${fields.in}: Unpack[${input}]`] : [])];
}

/** A method may be called list, after which the name means that. */
function annotation(schema: Schema): string {
  const objects = { named: (name: string) => `types.${name}`, inline: () => 'dict[str, Any]' };
  return typeOf(schema, '', objects).replaceAll(/\blist\[/g, 'List[');
}

function returnType({ answer, member, isPaged }: Call): string {
  if (!answer) return 'bytes';
  if (member === undefined) return annotation(answer);
  const members = propertiesOf(answer)[member]!;
  return isPaged ? `AsyncPaged[${annotation(answer)}, ${annotation(members.items!)}]` : annotation(members);
}

function body(call: Call): string {
  const { answer, member, isPaged, route } = call;
  const path = `"${route.path}"`;
  const ofPath = call.arguments.filter((one) => one.in === 'path').map(({ name, as }) => `${name}=${as}`);
  const { query, body: sent } = partsOf(call);
  if (isPaged) {
    const parts = ['self._rest', path, `"${member}"`, query ?? '{}', ...ofPath];
    return laidOut('        return AsyncPaged(', parts, ')');
  }
  const parts = [
    path,
    ...(query === undefined ? [] : [`query=${query}`]),
    ...(sent === undefined ? [] : [`body=${sent}`]),
    ...(route.takesIdempotencyKey ? ['idempotency_key=idempotency_key'] : []),
    ...ofPath,
  ];
  const sending = `await self._rest.${answer ? route.method : 'bytes'}(`;
  if (member === undefined) return laidOut(`        return ${sending}`, parts, ')');
  return `${laidOut(`        answer = ${sending}`, parts, ')')}\n        return answer["${member}"]`;
}

/** The expressions of the query and of the body, as far as the call has them. */
function partsOf(call: Call): { query?: string; body?: string } {
  const { fields } = call;
  const parts: { query?: string; body?: string } = {};
  for (const where of ['query', 'body'] as const) {
    const placed = call.arguments.filter((one) => one.in === where);
    const named = fields?.in === where ? namedFields(call) : undefined;
    const members = placed.map((one) => `"${one.name}": ${valueOf(one, where)}`);
    if (members.length > 0) parts[where] = `{${[...members, ...(named ? [`**${named}`] : [])].join(', ')}}`;
    else if (named !== undefined) parts[where] = named;
  }
  return parts;
}

function valueOf({ as, isList }: Argument, where: 'query' | 'body'): string {
  if (!isList) return as;
  return where === 'query' ? `",".join(${as})` : `list(${as})`;
}

function namedFields(call: Call): string {
  const { in: where, schemas, lists } = call.fields!;
  const names = Object.keys(schemas);
  const isRenamed = names.some((name) => keyword(name) !== name);
  if (!isWrittenOut(call)) return isRenamed ? `fields_of(${where})` : where;
  const values = names.map((name) => {
    const known = keyword(name);
    return `${known}=${lists.includes(name) ? `None if ${known} is None else ",".join(${known})` : known}`;
  });
  return isRenamed ? `fields_of(given(${values.join(', ')}))` : `given(${values.join(', ')})`;
}

/** What differs between the client for asyncio and the one that waits. */
const RULES: [RegExp, string][] = [
  [/\bsaring\.(gen\.)?asynchronous\b/g, 'saring.gen.synchronous'],
  [/\basync (?=def|for|with)/g, ''],
  [/\bawait /g, ''],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\bAsyncGenerator\[(.*), None\]/g, 'Generator[$1, None, None]'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b__a(?=(iter|next|enter|exit)__)/g, '__'],
  [/\ba(?=(close|closing|iter_bytes|next)\b)/g, ''],
];

/** The module of the waiting client that does what a module of the asynchronous one does. */
export function synchronous(module: string, name: string): string {
  const text = RULES.reduce(
    (changed, [pattern, replacement]) => changed.replace(pattern, replacement),
    module,
  );
  return `# Generated from saring/asynchronous/${name}.\n${text}`;
}

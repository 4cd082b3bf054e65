import { wrapped } from '#foundation/text/wrapped.ts';
import { generatedCalls, type Argument, type Call, type Fields } from './calls.ts';
import { resourceNamed } from './resources.ts';
import { camelCase } from './words.ts';

/** The result of its job has a type of its own. */
const WRITTEN = ['simulations.submit'];

/** A module with the classes of the TypeScript client whose methods are one call each. Its lines are still to be formatted. */
export function callsModule(): string {
  const classes = [...generatedCalls(WRITTEN)].map(([resource, calls]) => classOf(resource, calls));
  return `
import type { AnyModelId, BodyOf, CallOptions } from '../transport/api-types.ts';
import { apart, asQuery, Paged, type QueryOptions } from '../transport/call-options.ts';
import { Resource } from '../transport/transport.ts';

${classes.join('\n\n')}`;
}

function classOf(resource: string, calls: Call[]): string {
  const { about, className } = resourceNamed(resource);
  return `${comment(about)}
export class ${className} extends Resource {
${calls.map(methodOf).join('\n\n')}
}`;
}

/** Leaves room for the indentation of a member. */
function comment(text: string): string {
  const lines = wrapped(text.replaceAll('*/', '*\\/'), 106);
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */`;
}

function methodOf(call: Call): string {
  const { name, about, isPaged, member } = call;
  const isAsync = member !== undefined && !isPaged;
  const parameters = [...call.arguments.map((one) => parameter(one, call)), lastParameter(call)];
  return `${comment(about)}
${isAsync ? 'async ' : ''}${name}(${parameters.join(', ')}) {
${preparation(call.fields)}
${returned(call)}
}`;
}

const variable = ({ as }: Argument) => camelCase(as);
const literal = (text: string) => `'${text}'`;

function parameter(one: Argument, { route: { method, path: url } }: Call): string {
  if (one.in === 'body') return `${variable(one)}: BodyOf<'${method}', '${url}'>['${one.name}']`;
  const type = one.isList ? 'readonly string[]' : one.name === 'model_id' ? 'AnyModelId' : 'string';
  return `${variable(one)}: ${type}`;
}

/** The inputs that are taken by name, and the options of the call. */
function lastParameter({ fields, route: { method, path: url } }: Call): string {
  if (!fields) return 'options: CallOptions = {}';
  const all = fields.in === 'query' ? `QueryOptions<'${url}'>` : `BodyOf<'${method}', '${url}'>`;
  const without = [...fields.without, ...fields.lists].map(literal).join(' | ');
  const type = without === '' ? all : `Omit<${all}, ${without}>`;
  const more = [
    ...(fields.in === 'body' ? ['CallOptions'] : []),
    ...fields.lists.map((name) => `{ ${name}?: readonly string[] }`),
  ];
  return `requested: ${[type, ...more].join(' & ')}${fields.isRequired ? '' : ' = {}'}`;
}

/** Separates the fields for the API from the options. */
function preparation(fields: Fields | undefined): string {
  if (!fields) return '';
  if (fields.in === 'body') return 'const [body, options] = apart(requested);';
  if (fields.lists.length === 0) return 'const { query, ...options } = asQuery(requested);';
  return `const { ${fields.lists.join(', ')}, ...others } = requested;
    const { query, ...options } = asQuery(others);`;
}

function returned(call: Call): string {
  const { answer, member, isPaged, route } = call;
  const sending = `this.transport.${answer ? route.method : 'bytes'}('${route.path}', ${input(call)})`;
  if (isPaged) return `return new Paged((from) => ${sending}, ({ ${member} }) => ${member});`;
  return member === undefined ? `return ${sending};` : `return (await ${sending}).${member};`;
}

/** What the transport takes: the parts of the request, and the options. */
function input(call: Call): string {
  const { fields, isPaged } = call;
  const placed = (where: Argument['in']) => call.arguments.filter((one) => one.in === where);
  const member = (one: Argument) => {
    const value = one.in === 'query' && one.isList ? `${variable(one)}.join()` : variable(one);
    return `${one.name}: ${value}`;
  };
  const lists = fields?.lists.map((name) => `...(${name} && { ${name}: ${name}.join() })`) ?? [];
  const parts = {
    path: placed('path').map(member),
    query: [
      ...(fields?.in === 'query' ? ['...query'] : []),
      ...placed('query').map(member),
      ...lists,
      ...(isPaged ? ['...from'] : []),
    ],
    body: [...placed('body').map(member), ...(fields?.in === 'body' ? ['...body'] : [])],
  };
  const given = Object.entries(parts).filter(([, members]) => members.length > 0);
  if (given.length === 0) return 'options';
  return `{ ${[...given.map(([part, members]) => partOf(part, members)), '...options'].join(', ')} }`;
}

/** Uses shorthand where the value has the name of the member: `query`, and `path: { ticker }`. */
function partOf(part: string, members: string[]): string {
  if (members.length === 1 && members[0] === `...${part}`) return part;
  const short = members.map((member) => member.replace(/^(\w+): \1$/, '$1'));
  return `${part}: { ${short.join(', ')} }`;
}

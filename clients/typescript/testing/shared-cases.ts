import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SaringClient } from '../index.ts';

/** A call of a client in the words of `clients/cases/`. */
export interface NamedCall {
  call: string;
  arguments?: unknown[];
  /** Under the API's own names. */
  keywords?: Record<string, unknown>;
  /** Of the client: `end_user`, `idempotency_key`. */
  options?: Record<string, unknown>;
  /** How a list is read: whole if undefined. */
  read?: 'pages' | 'first';
  take?: number;
}

/** An error of which the named members count. */
export type NamedError = Record<string, unknown>;

export function sharedCases<Cases>(file: string): Cases {
  const folder = path.join(import.meta.dirname, '../../cases');
  return JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Cases;
}

/** Makes a call and reads the answer to its end, or as far as the case says. */
export async function made(
  client: SaringClient,
  { call, arguments: given = [], keywords, options, read, take = Infinity }: NamedCall,
): Promise<unknown> {
  const owner = call.split('.').slice(0, -1);
  const method = call.split('.').at(-1)!;
  const target = owner.reduce((at, name) => at[name] as Members, client as unknown as Members);
  const last = keywords || options ? [{ ...keywords, ...inCamelCase(options ?? {}) }] : [];
  const reply = (target[camelCase(method)] as Method).call(target, ...given, ...last);
  if (read === 'first') return (reply as { first: () => Promise<unknown> }).first();
  const list = read === 'pages' ? (reply as { pages: () => AsyncIterable<unknown> }).pages() : reply;
  if (isIterable(list)) return taken(list, take);
  const result = await list;
  return result instanceof Uint8Array ? new TextDecoder().decode(result) : result;
}

type Members = Record<string, unknown>;
type Method = (...args: unknown[]) => unknown;

async function taken(list: AsyncIterable<unknown>, most: number): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of list) if (items.push(item) >= most) break;
  return items;
}

function isIterable(reply: unknown): reply is AsyncIterable<unknown> {
  return typeof reply === 'object' && reply !== null && Symbol.asyncIterator in reply;
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export function inCamelCase(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [camelCase(name), value]));
}

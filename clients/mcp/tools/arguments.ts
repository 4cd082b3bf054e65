import { z } from 'zod';
import { SaringError, type FieldError } from '#client/index.ts';
import { closest } from '#fields/rules/suggestion.ts';

/** Has no dot and no comma: "100.000" is a hundred for some and a hundred thousand for others. */
const WHOLE_NUMBER = /^-?\d{1,16}$/;

/**
 * The arguments of a call as its tool takes them. Models and their clients send null for what they leave out, numbers as text and
 * blanks around words, all of which can mean one thing only. An argument that the tool does not have is refused, since an answer
 * without it would be one to another question. Clients do not always refuse it themselves: some open closed schemas.
 * @throws SaringError invalid_request naming every mistake
 */
export function argumentsOf<Input extends z.ZodRawShape>(
  tool: string,
  takes: z.ZodObject<Input, z.core.$strict>,
  sent: Record<string, unknown>,
): z.output<z.ZodObject<Input>> {
  const meant = Object.entries(sent).map(([name, value]) => [name, meantBy(value, takes.shape[name])]);
  const { data, error } = takes.safeParse(Object.fromEntries(meant));
  if (!error) return data;
  const names = Object.keys(takes.shape);
  const detail = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => mistake('extra_forbidden', [name], unknownName(name, names)))
      : [mistake('value_error', issue.path.map(String), issue.message)],
  );
  throw new SaringError('invalid_request', `${tool} does not take these arguments.`, { detail });
}

function mistake(type: FieldError['type'], loc: string[], msg: string): FieldError {
  return { type, loc, msg, input: undefined, ctx: {} };
}

function meantBy(sent: unknown, type: z.core.$ZodType | undefined): unknown {
  if (type instanceof z.ZodOptional) return sent === null ? undefined : meantBy(sent, type.unwrap());
  if (type instanceof z.ZodArray && Array.isArray(sent))
    return sent.map((item: unknown) => meantBy(item, type.element));
  if (type instanceof z.ZodRecord && typeof sent === 'object' && sent !== null && !Array.isArray(sent))
    return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  if (typeof sent !== 'string') return sent;
  const text = sent.trim();
  return type instanceof z.ZodNumber && WHOLE_NUMBER.test(text) ? Number(text) : text;
}

/** Says it in the words of the API, with the name that was probably meant. */
function unknownName(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'is not known here; nothing is allowed';
  const meant = closest(name, names) ?? names.find((known) => shareWord(known, name));
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return `is not known here; allowed: ${names.join(', ')}${hint}`;
}

/** `id` and `screen_id`, `stock_ticker` and `ticker`: too far apart to be misspelt. */
function shareWord(one: string, other: string): boolean {
  const words = other.toLowerCase().split('_');
  return one.split('_').some((word) => words.includes(word));
}

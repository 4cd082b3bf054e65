import type { FieldType, RuleFields } from '../field-type.ts';
import type { Expected } from './mistakes.ts';
import { parse } from './parse-rules.ts';
import { RulesError } from './rules-error.ts';
import { LIMITS } from './rules.ts';
import { FUNCTIONS, SIGNS } from './text-words.ts';
import { TokenStream } from './token-stream.ts';
import { tokensOf } from './tokens.ts';

/** What may stand at the cursor of rules that are being written. */
export interface Completions {
  /** An option replaces the text from here to `to`: the word at the cursor. */
  from: number;
  to: number;
  /** Those that begin with what is typed come first. */
  options: string[];
  /** The field of the condition at the cursor, if it has one. */
  subject: string | undefined;
}

/** Where the grammar takes a word, and only these words or signs can follow. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  sort: ['sort by'],
  in: ['in ('],
  is: ['is null', 'is not null'],
  crossed: ['crossed above', 'crossed below'],
  ...Object.fromEntries(FUNCTIONS.map((name) => [name, [`${name}(`]])),
};
const BEGINS_CONDITION = [...FUNCTIONS.map((name) => `${name}(`), 'not'];
const PUNCTUATION: ReadonlySet<string> = new Set(['(', ')', ',', '*', '%']);
/** What compares fields of each type. Only a field that is true or false is a condition alone. */
const COMPARED: Readonly<Record<FieldType, ReadonlySet<string>>> = {
  number: new Set([...Object.values(SIGNS), '!=', 'not', 'between', 'in', 'crossed', 'is']),
  text: new Set(['=', '!=', 'not', 'in', 'is']),
  boolean: new Set(['=', '!=', 'is', 'and', 'or', 'sort', 'limit']),
};
/** What compares measures, which are numbers that a rule asks neither whether they are missing nor what they crossed. */
const MEASURED: ReadonlySet<string> = new Set([...Object.values(SIGNS), '!=', 'not', 'between']);
const OPEN_QUOTE = /^(?:[^'"]|'[^']*'|"[^"]*")*(['"][^'"]*)$/;
const IN_WORD = /[\w.]/;

/**
 * What may stand at the cursor of rules in their text form, by the grammar of `parseRules`. Fields are offered from their first letter
 * on, since any of them could stand where one can.
 */
export function completionsAt(text: string, cursor: number, fields: RuleFields): Completions {
  const { from, to } = wordAt(text, cursor);
  const typed = text.slice(from, cursor).toLowerCase();
  const { expected, subject, isMeasured, isOrder } = expectedAfter(text.slice(0, from), fields);
  const type = subject === undefined ? undefined : (fields.get(subject)?.type ?? 'number');
  const compared = expected.has('between') && (isMeasured ? MEASURED : COMPARED[type!]);
  const isNumber = subject === undefined || (type === 'number' && !isMeasured);
  const options = [...expected].flatMap((one): readonly string[] => {
    if (compared && !compared.has(one)) return [];
    if (one === '<condition>') return [...(typed === '' ? [] : fields.keys()), ...BEGINS_CONDITION];
    if (one === '<field>') return typed === '' || !isNumber ? [] : fieldsToName(fields, isOrder);
    if (one === '<quoted>') return quoted(valuesOf(subject, fields), typed.startsWith('"') ? '"' : "'");
    if (one === 'true' || one === 'false') return type === 'boolean' ? [one] : [];
    return one.startsWith('<') && one.endsWith('>') ? [] : (WHOLE[one] ?? [one]);
  });
  return { from, to, options: ranked(options, typed), subject };
}

/** The word that the cursor is in or behind, or the text whose quote is not closed. */
function wordAt(text: string, cursor: number): { from: number; to: number } {
  if (text.length > LIMITS.textLength) return { from: cursor, to: cursor };
  const quote = OPEN_QUOTE.exec(text.slice(0, cursor))?.[1];
  if (quote !== undefined) return { from: cursor - quote.length, to: cursor };
  let [from, to] = [cursor, cursor];
  while (from > 0 && IN_WORD.test(text[from - 1]!)) from--;
  while (from < cursor && /[\d.]/.test(text[from]!)) from++;
  while (from < cursor && to < text.length && IN_WORD.test(text[to]!)) to++;
  return { from, to };
}

/**
 * Whether a mistake in rules may vanish when they are written on: they end too early, or in the middle of a word.
 * @param mistake of `parseRules` in the same text
 */
export function mayBeUnfinished(text: string, { place, mistake }: RulesError, fields: RuleFields): boolean {
  const { code, params } = mistake;
  if (code === 'unclosed_quote' || /[-!]$/.test(text)) return true;
  if (code === 'expected' && (params as { found: string | null }).found === null) return true;
  if (expectedAfter(text, fields).expected.has('between')) return true;
  const from = 'column' in place ? place.column - 1 : 0;
  return /^[a-z_][\w.]*$/i.test(text.slice(from));
}

interface Expectation {
  expected: ReadonlySet<Expected>;
  subject: string | undefined;
  isMeasured: boolean;
  isOrder: boolean;
}

const NOTHING: Expectation = {
  expected: new Set(),
  subject: undefined,
  isMeasured: false,
  isOrder: false,
};

/** What the grammar would take after the text. Nothing after a mistake. */
function expectedAfter(text: string, fields: RuleFields): Expectation {
  if (text.length > LIMITS.textLength) return NOTHING;
  let tokens: TokenStream | undefined;
  try {
    tokens = new TokenStream(tokensOf(text));
    parse(tokens, fields);
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
  }
  if (!tokens) return NOTHING;
  const { expectedAtEnd: expected, subject, isMeasured, isOrder } = tokens;
  return { expected, isMeasured, isOrder, subject: isOrder ? undefined : subject };
}

/** Only numbers are measured and compared with each other. Rules are ordered by any field. */
function fieldsToName(fields: RuleFields, isOrder: boolean): string[] {
  return [...fields].filter(([, { type }]) => isOrder || type === 'number').map(([name]) => name);
}

function valuesOf(subject: string | undefined, fields: RuleFields): readonly string[] {
  return subject === undefined ? [] : (fields.get(subject)?.values ?? []);
}

function quoted(values: readonly string[], quote: string): string[] {
  return values.map((value) => quote + value.replaceAll(quote, quote + quote) + quote);
}

function ranked(options: readonly string[], typed: string): string[] {
  const word = typed.replace(/^['"]/, '');
  const bare = (option: string) => option.toLowerCase().replace(/^['"]/, '');
  const found = [...new Set(options)].filter(
    (option) => !PUNCTUATION.has(option) && option !== typed && bare(option).includes(word),
  );
  const begins = (option: string) => Number(bare(option).startsWith(word));
  return found.toSorted((a, b) => begins(b) - begins(a));
}

import type { FieldType, RuleFields } from '../field-type.ts';
import type { Expected } from './mistakes.ts';
import { parse } from './parse-rules.ts';
import { RulesError } from './rules-error.ts';
import { FUNCTIONS, SIGNS } from './text-words.ts';
import { TokenStream } from './token-stream.ts';
import { tokensOf } from './tokens.ts';

/** What may stand at the cursor of rules that are being written. */
export interface Completions {
  /** An option replaces the text from here up to the cursor. */
  from: number;
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
/** The last word, or text whose quote is not closed. */
const TYPED = /[a-z_][\w.]*$/i;
const OPEN_QUOTE = /^(?:[^'"]|'[^']*'|"[^"]*")*(['"][^'"]*)$/;

/**
 * What may stand at the cursor of rules in their text form, by the grammar of `parseRules`. Fields are offered from their first letter
 * on, since any of them could stand where one can.
 */
export function completionsAt(text: string, cursor: number, fields: RuleFields): Completions {
  const before = text.slice(0, cursor);
  const typed = (OPEN_QUOTE.exec(before)?.[1] ?? TYPED.exec(before)?.[0] ?? '').toLowerCase();
  const from = cursor - typed.length;
  const { expected, subject, isOrder } = expectedAfter(before.slice(0, from), fields);
  const type = subject === undefined ? undefined : (fields.get(subject)?.type ?? 'number');
  const isCompared = expected.has('between');
  const options = [...expected].flatMap((one): readonly string[] => {
    if (isCompared && !COMPARED[type!].has(one)) return [];
    if (one === '<condition>') return [...(typed === '' ? [] : fields.keys()), ...BEGINS_CONDITION];
    if (one === '<field>') return typed === '' ? [] : fieldsToName(fields, isOrder);
    if (one === '<quoted>') return quoted(subject === undefined ? [] : (fields.get(subject)?.values ?? []));
    if (one === 'true' || one === 'false') return type === 'boolean' ? [one] : [];
    return one.startsWith('<') && one.endsWith('>') ? [] : (WHOLE[one] ?? [one]);
  });
  return { from, options: ranked(options, typed), subject };
}

interface Expectation {
  expected: ReadonlySet<Expected>;
  subject: string | undefined;
  isOrder: boolean;
}

const NOTHING: Expectation = { expected: new Set(), subject: undefined, isOrder: false };

/** What the grammar would take after the text. Nothing after a mistake. */
function expectedAfter(text: string, fields: RuleFields): Expectation {
  let tokens: TokenStream | undefined;
  try {
    tokens = new TokenStream(tokensOf(text));
    parse(tokens, fields);
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
  }
  if (!tokens) return NOTHING;
  const { expectedAtEnd: expected, subject, isOrder } = tokens;
  return { expected, isOrder, subject: isOrder ? undefined : subject };
}

/** Only numbers are measured and compared with each other. Rules are ordered by any field. */
function fieldsToName(fields: RuleFields, isOrder: boolean): string[] {
  return [...fields].filter(([, { type }]) => isOrder || type === 'number').map(([name]) => name);
}

function quoted(values: readonly string[]): string[] {
  return values.map((value) => `'${value.replaceAll("'", "''")}'`);
}

function ranked(options: readonly string[], typed: string): string[] {
  const found = [...new Set(options)].filter(
    (option) => !PUNCTUATION.has(option) && option !== typed && option.toLowerCase().includes(typed),
  );
  const begins = (option: string) => Number(option.toLowerCase().startsWith(typed));
  return found.toSorted((a, b) => begins(b) - begins(a));
}

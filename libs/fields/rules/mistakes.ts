import type { FieldType } from '../field-type.ts';

/** A name that was probably meant, or undefined. */
type Meant = { meant: string | undefined };

/** What may stand at a place of the text form, beside words and signs of the language. */
const PIECES = {
  '<condition>': 'a condition',
  '<field>': 'a field',
  '<number>': 'a number',
  '<days>': 'a number of days',
  '<quoted>': 'a text in quotes',
  '<comma>': 'a comma',
  '<end>': 'the end',
} as const;
export type Expected = keyof typeof PIECES | (string & {});

const TYPE_WORDS: Readonly<Record<FieldType, string>> = {
  number: 'a number',
  text: 'text',
  boolean: 'true or false',
};
const HINTS: Readonly<Record<FieldType, string>> = {
  text: 'use = (equal) or in',
  boolean: 'use = (equal) with true or false',
  number: 'compare it with a number',
};

/**
 * Every mistake that rules can have, by its code, with its English words. Programs that show another language have words of their
 * own for the code and its parameters, which an error of the API carries.
 */
export const MISTAKES = {
  text_too_long: ({ max }: { max: number }) => `rules may have at most ${max} characters`,
  too_deep: ({ max }: { max: number }) => `conditions may lie at most ${max} deep inside each other`,
  unclosed_quote: ({ quote }: { quote: string }) => `no closing ${quote} after this one`,
  meaningless_character: ({ character }: { character: string }) => `\`${character}\` means nothing here`,
  /** `found` is null at the end of the rules. */
  expected: ({ expected, after, found }: { expected: Expected[]; after?: string; found: string | null }) =>
    `expected ${alternatives(expected)}${after === undefined ? '' : ` after \`${after}\``}, found ` +
    (found === null ? 'the end' : `\`${found}\``),
  percent_missing: () => 'needs %, as the other number has it',
  not_in_percent: ({ name }: { name: string }) => `\`${name}\` is not compared in percent: leave out %`,
  needs_members: ({ names }: { names: readonly string[] }) => `needs an object with ${names.join(', ')}`,
  no_member: ({ name, names, meant }: { name: string; names: readonly string[] } & Meant) =>
    `no member \`${name}\` here, only ${names.join(', ')}${didYouMean(meant)}`,
  needs_whole_number: ({ max }: { max: number }) => `needs a whole number from 1 to ${max}`,
  needs_number: () => 'needs a number',
  needs_two_numbers: () => 'needs two numbers',
  needs_boolean: () => 'needs true or false',
  needs_field_name: () => 'needs the name of a field',
  no_field: ({ name, meant }: { name: string } & Meant) => `no field \`${name}\`${didYouMean(meant)}`,
  needs_condition: () => 'needs a condition: an object with field, all, any or not',
  needs_conditions: () => 'needs a list of one condition or more',
  too_many_comparisons: ({ max }: { max: number }) => `rules may have at most ${max} comparisons`,
  too_many_items: ({ max, count }: { max: number; count: number }) =>
    `lists may have at most ${max} items in all, and these make ${count}`,
  too_many_sort_keys: ({ max }: { max: number }) => `needs a list of at most ${max} fields`,
  sorted_twice: ({ name }: { name: string }) => `sorts by \`${name}\` a second time`,
  needs_order: ({ orders }: { orders: readonly string[] }) => `needs ${orders.join(' or ')}`,
  needs_comparison: ({ comparisons }: { comparisons: readonly string[] }) =>
    `needs one comparison of ${comparisons.join(', ')}`,
  second_comparison: ({ first }: { first: string }) =>
    `stands beside ${first}, but a condition has one comparison`,
  belongs_elsewhere: ({ names }: { names: readonly string[] }) => `belongs to ${names.join(' and ')} only`,
  needs_measure: ({ measures, meant }: { measures: readonly string[] } & Meant) =>
    `needs one of ${measures.join(', ')}${didYouMean(meant)}`,
  no_measure_of: ({ name, type, measure }: { name: string; type: FieldType; measure: string }) =>
    `\`${name}\` is ${TYPE_WORDS[type]} and has no ${measure}`,
  needs_field_itself: ({ measure }: { measure: string }) => `needs the field itself, not its ${measure}`,
  measure_needs_number: ({ measure }: { measure: string }) =>
    `needs a number, because the ${measure} of a field compares only with numbers`,
  wrong_comparison: ({ name, type }: { name: string; type: FieldType }) =>
    `\`${name}\` is ${TYPE_WORDS[type]}: ${HINTS[type]}`,
  needs_number_field: ({ name, type }: { name: string; type: FieldType }) =>
    `\`${name}\` is ${TYPE_WORDS[type]}, not a number`,
  needs_quoted_text: ({ name }: { name: string }) => `\`${name}\` is text: compare it with a text in quotes`,
  bounds_reversed: ({ low, high }: { low: number; high: number }) =>
    `the lower bound ${low} is above the upper bound ${high}`,
  needs_values: () => 'needs a list of one value or more',
  word_too_long: ({ max }: { max: number }) => `a text may have at most ${max} characters`,
  never_value: ({ name, value, values, meant }: NeverValue & Meant) =>
    `\`${name}\` is never \`${value}\`, only ${values.join(', ')}${didYouMean(meant)}`,
} as const;

interface NeverValue {
  name: string;
  value: string;
  values: readonly string[];
}

export type MistakeCode = keyof typeof MISTAKES;

/** Nothing, for a mistake that its code says whole. */
export type MistakeParams<Code extends MistakeCode> =
  Parameters<(typeof MISTAKES)[Code]> extends [infer P] ? P : Record<string, never>;

export interface Mistake {
  code: MistakeCode;
  params: object;
}

export function wordsOf({ code, params }: Mistake): string {
  return (MISTAKES[code] as (params: object) => string)(params);
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

function alternatives(expected: readonly Expected[]): string {
  const words = expected.map((one) => (one in PIECES ? PIECES[one as keyof typeof PIECES] : one));
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

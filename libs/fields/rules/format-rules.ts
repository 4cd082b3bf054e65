import {
  comparisonOf,
  isTest,
  type Condition,
  type Rules,
  type Scaled,
  type Subject,
  type Test,
} from './rules.ts';
import { SIGNS } from './text-words.ts';

/** The text form of rules in normal form. `parseRules` makes the same rules of it. */
export function formatRules({ where, sort, limit }: Rules): string {
  const parts: string[] = [];
  if (where) parts.push(formatCondition(where));
  if (sort) parts.push(`sort by ${sort.map(({ field, order }) => `${field} ${order}`).join(', ')}`);
  if (limit !== undefined) parts.push(`limit ${limit}`);
  return parts.join(' ');
}

/** The text form of a condition in normal form. */
export function formatCondition(condition: Condition): string {
  if ('all' in condition) return condition.all.map((part) => inner(part, ['all', 'any'])).join(' and ');
  if ('any' in condition) return condition.any.map((part) => inner(part, ['any'])).join(' or ');
  if (!('not' in condition)) return formatTest(condition, '');
  const { not } = condition;
  const hasOwnSign =
    isTest(not) && ('in' in not || 'between' in not || ('equal' in not && not.equal !== true));
  return hasOwnSign ? formatTest(not, 'not ') : `not ${inner(not, ['all', 'any'])}`;
}

/** What is compared, in text form: `close`, `rank(value_idr)`, `change(close, 5d)`. */
export function formatSubject({ field, as, days }: Subject): string {
  if (as === undefined) return field;
  return days === undefined ? `${as}(${field})` : `change(${field}, ${days}d)`;
}

/** A part of a condition, in parentheses if it combines others in one of the given ways. */
function inner(part: Condition, combining: readonly string[]): string {
  const text = formatCondition(part);
  return combining.some((way) => way in part) ? `(${text})` : text;
}

/** @param negation `not ` or nothing */
function formatTest(test: Test, negation: 'not ' | ''): string {
  const subject = formatSubject(test);
  const number = (value: number) => `${value}${test.as === 'change_pct' ? '%' : ''}`;
  const operand = (value: number | string | boolean | Scaled) => {
    if (typeof value === 'number') return number(value);
    if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
    if (typeof value === 'boolean') return String(value);
    return value.times === 1 ? value.field : `${value.times} * ${value.field}`;
  };
  if ('between' in test) return `${subject} ${negation}between ${test.between.map(number).join(' and ')}`;
  if ('in' in test) return `${subject} ${negation}in (${test.in.map(operand).join(', ')})`;
  if ('is_null' in test) return `${subject} is ${test.is_null ? '' : 'not '}null`;
  if ('within_days' in test) {
    const [side, other] =
      'crossed_above' in test ? ['above', test.crossed_above] : ['below', test.crossed_below];
    return `${subject} crossed ${side} ${operand(other)} within ${test.within_days} days`;
  }
  if ('equal' in test && test.equal === true) return subject;
  const comparison = comparisonOf(test) as keyof typeof SIGNS;
  const value = (test as unknown as Record<string, number | Scaled>)[comparison]!;
  return `${subject} ${negation ? '!=' : SIGNS[comparison]} ${operand(value)}`;
}

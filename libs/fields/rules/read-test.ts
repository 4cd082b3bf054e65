import type { RuleField } from '../field-type.ts';
import { at, finiteNumber, isObject, refuse, requireMembers, wholeNumber, type Path } from './reading.ts';
import {
  COMPARISONS,
  CROSSINGS,
  LIMITS,
  MEASURES,
  type Comparison,
  type Crossing,
  type Measure,
  type Scaled,
  type Subject,
  type Test,
} from './rules.ts';
import { suggestion } from './suggestion.ts';

export interface NamedField extends RuleField {
  readonly name: string;
}

/** What a test must know of the rules around it. */
export interface TestContext {
  /** @throws RulesError unless `name` is the name of a field */
  field(name: unknown, path: Path): NamedField;
  /** @throws RulesError when all lists together become too long */
  countItems(count: number, path: Path): void;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Checks a test in its JSON form and returns its normal form.
 * @throws RulesError with the path of the first mistake
 */
export function readTest(input: Record<string, unknown>, path: Path, context: TestContext): Test {
  const members = requireMembers(input, path, ['field', 'as', 'days', ...COMPARISONS, 'within_days']);
  const field = context.field(members.field, at(path, 'field'));
  const comparison = theComparison(members, path);
  const subject = readSubject(members, field, path);
  if (subject.as !== undefined && !MEASURABLE.has(comparison))
    refuse(at(path, comparison), `needs the field itself, not its ${subject.as}`);
  if (members.within_days !== undefined && !isCrossing(comparison))
    refuse(at(path, 'within_days'), `belongs to ${CROSSINGS.join(' and ')} only`);
  requireType(field, comparison, at(path, comparison));
  return { ...subject, ...readComparison(comparison, members, { field, subject, path, context }) };
}

function isCrossing(comparison: Comparison): comparison is Crossing {
  return comparison === 'crossed_above' || comparison === 'crossed_below';
}

function theComparison(members: Members, path: Path): Comparison {
  const [comparison, second] = COMPARISONS.filter((name) => members[name] !== undefined);
  if (comparison === undefined) return refuse(path, `needs one comparison of ${COMPARISONS.join(', ')}`);
  if (second !== undefined)
    refuse(at(path, second), `stands beside ${comparison}, but a condition has one comparison`);
  return comparison;
}

/** Comparisons of measures. Others read the field itself. */
const MEASURABLE: ReadonlySet<Comparison> = new Set([
  'below',
  'at_most',
  'at_least',
  'above',
  'equal',
  'between',
]);

function readSubject({ as, days }: Members, field: NamedField, path: Path): Subject {
  const measure = as === undefined ? undefined : readMeasure(as, field, at(path, 'as'));
  const isChange = measure === 'change' || measure === 'change_pct';
  if (days !== undefined && !isChange) refuse(at(path, 'days'), 'belongs to change and change_pct only');
  return {
    field: field.name,
    ...(measure && { as: measure }),
    ...(isChange && { days: wholeNumber(days, at(path, 'days'), LIMITS.changeDays) }),
  };
}

function readMeasure(as: unknown, { name, type }: NamedField, path: Path): Measure {
  const measure = MEASURES.find((word) => word === as);
  if (measure === undefined)
    return refuse(path, `needs one of ${MEASURES.join(', ')}${suggestion(String(as), MEASURES)}`);
  if (type !== 'number') refuse(path, `\`${name}\` is ${TYPE_WORDS[type]} and has no ${measure}`);
  return measure;
}

const TYPE_WORDS = { number: 'a number', text: 'text', boolean: 'true or false' } as const;
const HINTS = {
  text: 'use = (equal) or in',
  boolean: 'use = (equal) with true or false',
  number: 'compare it with a number',
} as const;

/** Comparisons for fields that are no numbers. */
const ALLOWED: Readonly<Record<'text' | 'boolean', readonly Comparison[]>> = {
  text: ['equal', 'in', 'is_null'],
  boolean: ['equal', 'is_null'],
};

function requireType({ name, type }: NamedField, comparison: Comparison, path: Path): void {
  if (type !== 'number' && !ALLOWED[type].includes(comparison))
    refuse(path, `\`${name}\` is ${TYPE_WORDS[type]}: ${HINTS[type]}`);
}

interface Around {
  field: NamedField;
  subject: Subject;
  path: Path;
  context: TestContext;
}

/** The comparison without its subject. Its type is that of a whole test less the subject. */
function readComparison(comparison: Comparison, members: Members, around: Around) {
  const place = at(around.path, comparison);
  const value = members[comparison];
  switch (comparison) {
    case 'equal':
      return { equal: readEqual(value, place, around) };
    case 'between':
      return { between: readBounds(value, place) };
    case 'in':
      return { in: readItems(value, place, around) };
    case 'is_null':
      return { is_null: typeof value === 'boolean' ? value : refuse(place, 'needs true or false') };
    case 'crossed_above':
    case 'crossed_below': {
      const days = members['within_days'] ?? 1;
      const within_days = wholeNumber(days, at(around.path, 'within_days'), LIMITS.withinDays);
      return { [comparison]: readOperand(value, place, around), within_days } as Record<
        Crossing,
        number | Scaled
      > & { within_days: number };
    }
    default:
      return { [comparison]: readOperand(value, place, around) } as { below: number | Scaled };
  }
}

/** A number, or another number field of the same stock, multiplied. */
function readOperand(value: unknown, path: Path, { subject, field, context }: Around): number | Scaled {
  if (!isObject(value)) {
    if (typeof value !== 'number') refuse(path, `\`${field.name}\` is a number: ${HINTS.number}`);
    return finiteNumber(value, path);
  }
  if (subject.as !== undefined)
    refuse(path, `needs a number, because the ${subject.as} of a field compares only with numbers`);
  const { field: name, times = 1 } = requireMembers(value, path, ['field', 'times']);
  const other = context.field(name, at(path, 'field'));
  if (other.type !== 'number')
    refuse(at(path, 'field'), `\`${other.name}\` is ${TYPE_WORDS[other.type]}, not a number`);
  return { field: other.name, times: finiteNumber(times, at(path, 'times')) };
}

function readEqual(value: unknown, path: Path, around: Around): number | string | boolean | Scaled {
  const { field } = around;
  if (field.type === 'number') return readOperand(value, path, around);
  if (field.type === 'text') return readWord(value, path, field);
  if (typeof value !== 'boolean') refuse(path, `\`${field.name}\` is true or false: ${HINTS.boolean}`);
  return value;
}

function readBounds(value: unknown, path: Path): [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return refuse(path, 'needs two numbers');
  const [low, high] = [finiteNumber(value[0], at(path, 0)), finiteNumber(value[1], at(path, 1))];
  if (low > high) refuse(path, `the lower bound ${low} is above the upper bound ${high}`);
  return [low, high];
}

function readItems(value: unknown, path: Path, { field, context }: Around): (number | string)[] {
  if (!Array.isArray(value) || value.length === 0) return refuse(path, 'needs a list of one value or more');
  context.countItems(value.length, path);
  return value.map((item, i) =>
    field.type === 'text' ? readWord(item, at(path, i), field) : finiteNumber(item, at(path, i)),
  );
}

function readWord(value: unknown, path: Path, { name, values }: NamedField): string {
  if (typeof value !== 'string') return refuse(path, `\`${name}\` is text: compare it with a text in quotes`);
  if (value.length > LIMITS.wordLength)
    refuse(path, `a text may have at most ${LIMITS.wordLength} characters`);
  if (values && !values.includes(value))
    refuse(path, `\`${name}\` is never \`${value}\`, only ${values.join(', ')}${suggestion(value, values)}`);
  return value;
}

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
import { closest } from './suggestion.ts';

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
    refuse(at(path, comparison), 'needs_field_itself', { measure: subject.as });
  if (members.within_days !== undefined && !isCrossing(comparison))
    refuse(at(path, 'within_days'), 'belongs_elsewhere', { names: CROSSINGS });
  requireType(field, comparison, at(path, comparison));
  return { ...subject, ...readComparison(comparison, members, { field, subject, path, context }) };
}

function isCrossing(comparison: Comparison): comparison is Crossing {
  return comparison === 'crossed_above' || comparison === 'crossed_below';
}

function theComparison(members: Members, path: Path): Comparison {
  const [comparison, second] = COMPARISONS.filter((name) => members[name] !== undefined);
  if (comparison === undefined) return refuse(path, 'needs_comparison', { comparisons: COMPARISONS });
  if (second !== undefined) refuse(at(path, second), 'second_comparison', { first: comparison });
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
  if (days !== undefined && !isChange)
    refuse(at(path, 'days'), 'belongs_elsewhere', { names: ['change', 'change_pct'] });
  return {
    field: field.name,
    ...(measure && { as: measure }),
    ...(isChange && { days: wholeNumber(days, at(path, 'days'), LIMITS.changeDays) }),
  };
}

function readMeasure(as: unknown, { name, type }: NamedField, path: Path): Measure {
  const measure = MEASURES.find((word) => word === as);
  if (measure === undefined)
    return refuse(path, 'needs_measure', { measures: MEASURES, meant: closest(String(as), MEASURES) });
  if (type !== 'number') refuse(path, 'no_measure_of', { name, type, measure });
  return measure;
}

/** Comparisons for fields that are no numbers. */
const ALLOWED: Readonly<Record<'text' | 'boolean', readonly Comparison[]>> = {
  text: ['equal', 'in', 'is_null'],
  boolean: ['equal', 'is_null'],
};

function requireType({ name, type }: NamedField, comparison: Comparison, path: Path): void {
  if (type !== 'number' && !ALLOWED[type].includes(comparison))
    refuse(path, 'wrong_comparison', { name, type });
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
      return { is_null: typeof value === 'boolean' ? value : refuse(place, 'needs_boolean', {}) };
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
    if (typeof value !== 'number') refuse(path, 'wrong_comparison', { name: field.name, type: 'number' });
    return finiteNumber(value, path);
  }
  if (subject.as !== undefined) refuse(path, 'measure_needs_number', { measure: subject.as });
  const { field: name, times = 1 } = requireMembers(value, path, ['field', 'times']);
  const other = context.field(name, at(path, 'field'));
  if (other.type !== 'number')
    refuse(at(path, 'field'), 'needs_number_field', { name: other.name, type: other.type });
  return { field: other.name, times: finiteNumber(times, at(path, 'times')) };
}

function readEqual(value: unknown, path: Path, around: Around): number | string | boolean | Scaled {
  const { field } = around;
  if (field.type === 'number') return readOperand(value, path, around);
  if (field.type === 'text') return readWord(value, path, field);
  if (typeof value !== 'boolean') refuse(path, 'wrong_comparison', { name: field.name, type: 'boolean' });
  return value;
}

function readBounds(value: unknown, path: Path): [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return refuse(path, 'needs_two_numbers', {});
  const [low, high] = [finiteNumber(value[0], at(path, 0)), finiteNumber(value[1], at(path, 1))];
  if (low > high) refuse(path, 'bounds_reversed', { low, high });
  return [low, high];
}

function readItems(value: unknown, path: Path, { field, context }: Around): (number | string)[] {
  if (!Array.isArray(value) || value.length === 0) return refuse(path, 'needs_values', {});
  context.countItems(value.length, path);
  return value.map((item, i) =>
    field.type === 'text' ? readWord(item, at(path, i), field) : finiteNumber(item, at(path, i)),
  );
}

function readWord(value: unknown, path: Path, { name, values }: NamedField): string {
  if (typeof value !== 'string') return refuse(path, 'needs_quoted_text', { name });
  if (value.length > LIMITS.wordLength) refuse(path, 'word_too_long', { max: LIMITS.wordLength });
  if (values && !values.includes(value))
    refuse(path, 'never_value', { name, value, values, meant: closest(value, values) });
  return value;
}

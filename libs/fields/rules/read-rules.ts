import type { RuleFields } from '../field-type.ts';
import { readTest, type NamedField, type TestContext } from './read-test.ts';
import { at, isObject, refuse, requireMembers, wholeNumber, type Path } from './reading.ts';
import { LIMITS, ORDERS, type Condition, type Rules, type SortKey } from './rules.ts';
import { closest } from './suggestion.ts';

/** Members by which a condition is told from rules, where it stands in their place. */
const CONDITION_MEMBERS = ['all', 'any', 'not', 'field'];

/**
 * Checks rules in their JSON form, or a condition alone, and returns their normal form: defaults are filled in, and lists of one
 * condition are replaced by it.
 * @throws RulesError with the path of the first mistake
 */
export function readRules(input: unknown, fields: RuleFields): Rules {
  return new RulesReader(fields).rules(input);
}

class RulesReader implements TestContext {
  readonly #fields: RuleFields;
  #tests = 0;
  #items = 0;

  constructor(fields: RuleFields) {
    this.#fields = fields;
  }

  rules(input: unknown): Rules {
    if (isObject(input) && CONDITION_MEMBERS.some((name) => name in input))
      return { where: this.#condition(input, [], 1) };
    const { where, sort, limit } = requireMembers(input, [], ['where', 'sort', 'limit']);
    const keys = sort === undefined ? [] : this.#sortKeys(sort, ['sort']);
    return {
      ...(where !== undefined && { where: this.#condition(where, ['where'], 1) }),
      ...(keys.length > 0 && { sort: keys }),
      ...(limit !== undefined && { limit: wholeNumber(limit, ['limit'], LIMITS.limit) }),
    };
  }

  field(name: unknown, path: Path): NamedField {
    if (typeof name !== 'string') return refuse(path, 'needs_field_name', {});
    const field = this.#fields.get(name);
    if (!field) return refuse(path, 'no_field', { name, meant: closest(name, this.#fields.keys()) });
    return { ...field, name };
  }

  countItems(count: number, path: Path): void {
    this.#items += count;
    if (this.#items > LIMITS.items) refuse(path, 'too_many_items', { max: LIMITS.items, count: this.#items });
  }

  #condition(input: unknown, path: Path, depth: number): Condition {
    if (!isObject(input)) return refuse(path, 'needs_condition', {});
    if (depth > LIMITS.depth) return refuse(path, 'too_deep', { max: LIMITS.depth });
    if ('all' in input) {
      const parts = this.#parts(input, 'all', path, depth);
      return parts.length === 1 ? parts[0]! : { all: parts };
    }
    if ('any' in input) {
      const parts = this.#parts(input, 'any', path, depth);
      return parts.length === 1 ? parts[0]! : { any: parts };
    }
    if ('not' in input) {
      requireMembers(input, path, ['not']);
      return { not: this.#condition(input['not'], at(path, 'not'), depth + 1) };
    }
    if (++this.#tests > LIMITS.tests) refuse(path, 'too_many_comparisons', { max: LIMITS.tests });
    return readTest(input, path, this);
  }

  #parts(input: object, name: 'all' | 'any', path: Path, depth: number): Condition[] {
    const parts = requireMembers(input, path, [name])[name];
    const place = at(path, name);
    if (!Array.isArray(parts) || parts.length === 0) return refuse(place, 'needs_conditions', {});
    return parts.map((part, i) => this.#condition(part, at(place, i), depth + 1));
  }

  #sortKeys(input: unknown, path: Path): SortKey[] {
    if (!Array.isArray(input) || input.length > LIMITS.sortKeys)
      return refuse(path, 'too_many_sort_keys', { max: LIMITS.sortKeys });
    const keys = input.map((key, i) => this.#sortKey(key, at(path, i)));
    const again = keys.findIndex(({ field }, i) => keys.findIndex((key) => key.field === field) < i);
    if (again >= 0) refuse(at(path, again), 'sorted_twice', { name: keys[again]!.field });
    return keys;
  }

  #sortKey(input: unknown, path: Path): SortKey {
    const { field, order = 'asc' } = requireMembers(input, path, ['field', 'order']);
    const { name } = this.field(field, at(path, 'field'));
    const known = ORDERS.find((word) => word === order);
    return { field: name, order: known ?? refuse(at(path, 'order'), 'needs_order', { orders: ORDERS }) };
  }
}

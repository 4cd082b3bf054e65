import type { RuleFields } from '../field-type.ts';
import type { Expected } from './mistakes.ts';
import { mistakeAt } from './rules-error.ts';
import type { Comparison } from './rules.ts';
import { FUNCTIONS, SIGNS, type FunctionName } from './text-words.ts';
import type { Node, NumberToken, TokenStream } from './token-stream.ts';

/** Reads a comparison of the text form into a node of the JSON form. */
export function parseTest(tokens: TokenStream, fields: RuleFields): Node {
  return new TestParser(tokens, fields).test();
}

const COMPARISON_OF: ReadonlyMap<string, Comparison> = new Map(
  Object.entries(SIGNS).map(([comparison, sign]) => [sign, comparison as Comparison]),
);
const DAYS = ['d', 'day', 'days'];

interface PercentNumber extends NumberToken {
  /** The column of the percent sign after it, if there is one. */
  percentColumn: number | undefined;
}

class TestParser {
  readonly #tokens: TokenStream;
  readonly #fields: RuleFields;
  readonly #columns: Record<string, number> = {};
  readonly #numbers: PercentNumber[] = [];

  constructor(tokens: TokenStream, fields: RuleFields) {
    this.#tokens = tokens;
    this.#fields = fields;
  }

  test(): Node {
    const tokens = this.#tokens;
    const { column } = tokens.next;
    const subject = this.#subject();
    const isNegated = tokens.isNext('not', '!=');
    const members = { ...subject, ...this.#comparison() };
    this.#readPercent(members);
    const test = tokens.node(members, column, this.#columns);
    return isNegated ? tokens.node({ not: test }, column) : test;
  }

  #subject(): Node {
    const tokens = this.#tokens;
    const as = FUNCTIONS.find((name) => tokens.isNext(name));
    tokens.subject = undefined;
    tokens.isMeasured = as !== undefined;
    if (!as) return this.#field('<condition>');
    tokens.take();
    return this.#measure(as);
  }

  #measure(as: FunctionName): Node {
    const tokens = this.#tokens;
    tokens.expect('(');
    const { field } = this.#field('<field>');
    let days: number | undefined;
    if (as === 'change') {
      tokens.expect(',');
      days = this.#days('days');
    }
    tokens.expect(')');
    return { field, as, ...(days !== undefined && { days }) };
  }

  #field(expected: Expected): Node {
    const { text, column } = this.#tokens.field([expected]);
    this.#tokens.subject = text;
    this.#columns['field'] = column;
    return { field: text };
  }

  /** A number of days with its unit. */
  #days(member: 'days' | 'within_days'): number {
    const { value, column } = this.#tokens.number(['<days>']);
    this.#columns[member] = column;
    if (!this.#tokens.isNext(...DAYS)) this.#tokens.refuse(['days']);
    this.#tokens.take();
    return value;
  }

  #comparison(): Node {
    const tokens = this.#tokens;
    const isNegated = tokens.accept('not');
    if (tokens.accept('between')) return { between: this.#bounds() };
    if (tokens.accept('in')) return { in: this.#items() };
    if (isNegated) tokens.refuse(['between', 'in']);
    if (tokens.accept('crossed')) return this.#crossing();
    if (tokens.accept('is')) {
      const is_null = !tokens.accept('not');
      tokens.expect('null');
      return { is_null };
    }
    return this.#signed();
  }

  /** A field alone is one that must be true. */
  #signed(): Node {
    const tokens = this.#tokens;
    if (!tokens.isNext('!=', ...COMPARISON_OF.keys())) {
      this.#columns['equal'] = this.#columns['field']!;
      return { equal: true };
    }
    const { text, column } = tokens.take();
    const comparison = text === '!=' ? 'equal' : COMPARISON_OF.get(text)!;
    this.#columns[comparison] = column;
    return { [comparison]: this.#operand(comparison, text) };
  }

  #crossing(): Node {
    const tokens = this.#tokens;
    const side = tokens.isNext('above', 'below') ? tokens.take() : tokens.refuse(['above', 'below']);
    const comparison = side.text === 'above' ? 'crossed_above' : 'crossed_below';
    this.#columns[comparison] = side.column;
    const operand = this.#operand(comparison, side.text);
    return {
      [comparison]: operand,
      ...(tokens.accept('within') && { within_days: this.#days('within_days') }),
    };
  }

  #bounds(): unknown[] {
    const low = this.#number();
    this.#columns['between'] = low.column;
    this.#tokens.expect('and');
    return [low.value, this.#number().value];
  }

  #items(): unknown[] {
    const tokens = this.#tokens;
    tokens.expect('(');
    const items = tokens.list(() =>
      tokens.next.kind === 'quoted' ? tokens.take().text : this.#number(['<number>', '<quoted>']).value,
    );
    tokens.expect(')');
    return items;
  }

  #operand(member: string, sign: string): unknown {
    const tokens = this.#tokens;
    const { kind, column } = tokens.next;
    this.#columns[member] = column;
    if (kind === 'quoted') return tokens.take().text;
    if (tokens.isNext('true', 'false')) return tokens.take().text === 'true';
    if (kind !== 'number') {
      const field = tokens.field(['<number>', '<field>', '<quoted>'], sign);
      const times = tokens.accept('*') ? tokens.number().value : undefined;
      return tokens.node({ field: field.text, ...(times !== undefined && { times }) }, field.column);
    }
    const number = this.#number();
    if (number.percentColumn !== undefined || !tokens.accept('*')) return number.value;
    this.#numbers.pop();
    const field = tokens.field();
    return tokens.node({ field: field.text, times: number.value }, column, { field: field.column });
  }

  /** A number that `%` may follow. */
  #number(expected?: Expected[]): PercentNumber {
    const number = this.#tokens.number(expected);
    const percentColumn = this.#tokens.isNext('%') ? this.#tokens.take().column : undefined;
    this.#numbers.push({ ...number, percentColumn });
    return { ...number, percentColumn };
  }

  /** Percent makes a change relative. Elsewhere it must be the unit anyway. */
  #readPercent(test: Node): void {
    const isPercent = this.#numbers.map(({ percentColumn }) => percentColumn !== undefined);
    const first = this.#numbers[isPercent.indexOf(true)];
    if (!first) return;
    if (test['as'] === 'change') {
      const other = this.#numbers[isPercent.indexOf(false)];
      if (other) throw mistakeAt({ column: other.column }, 'percent_missing', {});
      test['as'] = 'change_pct';
      return;
    }
    const name = test['field'] as string;
    const unit = test['as'] === 'percentile' ? 'percent' : test['as'] ? 'none' : this.#fields.get(name)?.unit;
    if (unit !== undefined && unit !== 'percent')
      throw mistakeAt({ column: first.percentColumn! }, 'not_in_percent', { name });
  }
}

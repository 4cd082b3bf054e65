import type { Expected } from './mistakes.ts';
import { mistakeAt } from './rules-error.ts';
import { RESERVED } from './text-words.ts';
import type { Token } from './tokens.ts';

/** A piece of the JSON form, not checked yet. */
export type Node = Record<string, unknown>;

/** Columns of the members of a node. `''` stands for the node itself. */
type Columns = Readonly<Record<string | number, number>>;

export interface NumberToken {
  value: number;
  column: number;
}

/** Reads tokens one after the other, and remembers from which column each node came. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #columns = new WeakMap<object, Columns>();
  /** What the grammar would have taken in place of the end. */
  readonly expectedAtEnd = new Set<Expected>();
  /** The field of the condition that was begun last, and whether a measure of it is compared. */
  subject: string | undefined;
  isMeasured = false;
  /** Whether the conditions have ended and the order has begun. */
  isOrder = false;
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get next(): Token {
    return this.#tokens[this.#at]!;
  }

  take(): Token {
    return this.#tokens[this.#at++]!;
  }

  /** Whether the next token is one of these words or signs. */
  isNext(...texts: string[]): boolean {
    const { kind, text } = this.next;
    this.mayHave(...texts);
    return (kind === 'word' || kind === 'sign') && texts.includes(text);
  }

  /** Takes the next token if it is this word or sign. */
  accept(text: string): boolean {
    const isIt = this.isNext(text);
    if (isIt) this.#at++;
    return isIt;
  }

  expect(text: string): void {
    if (!this.accept(text)) this.refuse([text]);
  }

  /** @throws RulesError always: something else was expected */
  refuse(expected: Expected[], after?: string): never {
    const { kind, text, column } = this.next;
    this.mayHave(...expected);
    const found = kind === 'end' ? null : text;
    throw mistakeAt({ column }, 'expected', { expected, found, ...(after !== undefined && { after }) });
  }

  /** The name of a field, known or not. */
  field(expected: Expected[] = ['<field>'], after?: string): Token {
    const { kind, text } = this.next;
    return kind === 'word' && !RESERVED.has(text) ? this.take() : this.refuse(expected, after);
  }

  number(expected: Expected[] = ['<number>']): NumberToken {
    if (this.next.kind !== 'number') this.refuse(expected);
    const { text, column } = this.take();
    return { value: Number(text.replaceAll('_', '')), column };
  }

  /** One item or more, separated by commas. */
  list(item: () => unknown): unknown[] {
    const columns: Record<number, number> = {};
    const items: unknown[] = [];
    do {
      columns[items.length] = this.next.column;
      items.push(item());
    } while (this.accept(','));
    return this.#remember(items, { ...columns, '': columns[0]! });
  }

  node(members: Node, column: number, columns: Columns = {}): Node {
    return this.#remember(members, { ...columns, '': column });
  }

  /** The column of the piece at a path of the tree, or of the smallest piece around it whose column is known. */
  columnOf(tree: Node, path: readonly (string | number)[]): number {
    let [node, column]: [unknown, number] = [tree, 1];
    for (const key of path) {
      const columns = columnsIn(this.#columns, node);
      column = columns?.[key] ?? columns?.[''] ?? column;
      node = (node as Record<string | number, unknown> | undefined)?.[key];
    }
    return columnsIn(this.#columns, node)?.[''] ?? column;
  }

  /** Says what the grammar takes here. */
  mayHave(...expected: Expected[]): void {
    if (this.next.kind === 'end') for (const one of expected) this.expectedAtEnd.add(one);
  }

  #remember<T extends object>(node: T, columns: Columns): T {
    this.#columns.set(node, columns);
    return node;
  }
}

function columnsIn(all: WeakMap<object, Columns>, node: unknown): Columns | undefined {
  return typeof node === 'object' && node !== null ? all.get(node) : undefined;
}

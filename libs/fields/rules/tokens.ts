import { mistakeAt } from './rules-error.ts';

/**
 * A piece of the text form. `text` of a word is in lower case; that of a quoted text is without its quotes. The name of a field may
 * consist of several parts, as in `model_f_combined.rank`, and is one word.
 */
export interface Token {
  kind: 'word' | 'number' | 'quoted' | 'sign' | 'end';
  text: string;
  /** Of its first character, counted from 1. */
  column: number;
}

const SPACE = /\s+/y;
const PATTERNS: readonly [Exclude<Token['kind'], 'end'>, RegExp][] = [
  ['word', /[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*/iy],
  ['number', /-?\d[\d_]*(\.\d+)?(e[+-]?\d+)?/iy],
  ['quoted', /'(?:[^']|'')*'|"(?:[^"]|"")*"/y],
  ['sign', /<=|>=|!=|[<>=(),*%]/y],
];

/**
 * Splits the text form. The last token is the end.
 * @throws RulesError with the column of a character that no token begins with
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += lengthAt(SPACE, text, at);
    if (at === text.length) return [...tokens, { kind: 'end', text: '', column: at + 1 }];
    const [kind, pattern] = PATTERNS.find(([, one]) => lengthAt(one, text, at) > 0) ?? refused(text, at);
    const end = at + lengthAt(pattern, text, at);
    tokens.push({ kind, text: contentOf(kind, text.slice(at, end)), column: at + 1 });
    at = end;
  }
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function refused(text: string, at: number): never {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  const isQuote = character === "'" || character === '"';
  const place = { column: at + 1 };
  if (isQuote) throw mistakeAt(place, 'unclosed_quote', { quote: character });
  throw mistakeAt(place, 'meaningless_character', { character });
}

function contentOf(kind: Token['kind'], text: string): string {
  if (kind === 'word') return text.toLowerCase();
  if (kind !== 'quoted') return text;
  const quote = text[0]!;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

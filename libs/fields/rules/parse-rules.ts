import type { RuleFields } from '../field-type.ts';
import { parseTest } from './parse-test.ts';
import { readRules } from './read-rules.ts';
import type { Expected } from './mistakes.ts';
import { mistakeAt, RulesError } from './rules-error.ts';
import { LIMITS, type Rules } from './rules.ts';
import { TokenStream, type Node } from './token-stream.ts';
import { tokensOf } from './tokens.ts';

/**
 * Reads rules in their text form and returns their normal form. `not` binds more tightly than `and`, and `and` more tightly
 * than `or`. Words and names of fields may have any case; line breaks count as spaces. Texts are quoted with ' or ", and a
 * quote within is doubled. The empty text has no rules.
 *
 *     rules      = [condition] ["sort by" key {"," key}] ["limit" number]
 *     condition  = and {"or" and}          and = not {"and" not}          not = {"not"} (test | "(" condition ")")
 *     test       = subject (sign operand | ["not"] "between" number "and" number | ["not"] "in" "(" value {"," value} ")"
 *                | "crossed" ("above" | "below") operand ["within" number "days"] | "is" ["not"] "null")
 *                | field (one that is true or false)
 *     subject    = field | "rank(" field ")" | "bottom_rank(" field ")" | "percentile(" field ")"
 *                | "change(" field "," number "d)"
 *     sign       = "<" | "<=" | ">=" | ">" | "=" | "!="
 *     operand    = number ["%"] | field ["*" number] | number "*" field | text | "true" | "false"
 *     key        = field ["asc" | "desc"]                       field = name {"." name}, without spaces
 *
 * A change that is compared with percent, as in `change(close, 5d) > 3%`, is relative; otherwise it is in the unit of the
 * field. Elsewhere `%` may stand after a number that is in percent anyway.
 * @throws RulesError with the column of the first mistake
 */
export function parseRules(text: string, fields: RuleFields): Rules {
  if (text.length > LIMITS.textLength)
    throw mistakeAt({ column: LIMITS.textLength + 1 }, 'text_too_long', { max: LIMITS.textLength });
  const tokens = new TokenStream(tokensOf(text));
  const tree = parse(tokens, fields);
  try {
    return readRules(tree, fields);
  } catch (error) {
    if (!(error instanceof RulesError) || !('path' in error.place)) throw error;
    throw new RulesError({ column: tokens.columnOf(tree, error.place.path) }, error.mistake);
  }
}

/** Reads the text form without judging what it says. */
export function parse(tokens: TokenStream, fields: RuleFields): Node {
  const rules: Node = {};
  if (tokens.next.kind === 'end') tokens.mayHave('<condition>');
  else if (!tokens.isNext('sort', 'limit')) rules['where'] = either(tokens, fields, 1);
  if (tokens.accept('sort')) {
    tokens.expect('by');
    tokens.isOrder = true;
    rules['sort'] = tokens.list(() => sortKey(tokens));
  }
  const columns: Record<string, number> = {};
  if (tokens.accept('limit')) {
    columns['limit'] = tokens.next.column;
    rules['limit'] = tokens.number().value;
  }
  if (tokens.next.kind !== 'end') tokens.refuse(whatMayFollow(rules));
  return tokens.node(rules, 1, columns);
}

function whatMayFollow({ sort, limit }: Node): Expected[] {
  if (limit !== undefined) return ['<end>'];
  return sort === undefined ? ['and', 'or', 'sort by', 'limit', '<end>'] : ['<comma>', 'limit', '<end>'];
}

/** a or b or c, at a depth of parentheses and `not`. */
function either(tokens: TokenStream, fields: RuleFields, depth: number): Node {
  return joined(tokens, 'or', 'any', () => joined(tokens, 'and', 'all', () => single(tokens, fields, depth)));
}

function joined(tokens: TokenStream, word: string, member: string, part: () => Node): Node {
  const { column } = tokens.next;
  const parts = [part()];
  while (tokens.accept(word)) parts.push(part());
  return parts.length === 1 ? parts[0]! : tokens.node({ [member]: parts }, column);
}

function single(tokens: TokenStream, fields: RuleFields, depth: number): Node {
  const { column } = tokens.next;
  if (depth > LIMITS.depth) throw mistakeAt({ column }, 'too_deep', { max: LIMITS.depth });
  if (tokens.accept('not')) return tokens.node({ not: single(tokens, fields, depth + 1) }, column);
  if (!tokens.accept('(')) return parseTest(tokens, fields);
  const inner = either(tokens, fields, depth + 1);
  tokens.expect(')');
  return inner;
}

function sortKey(tokens: TokenStream): Node {
  const { text: field, column } = tokens.field();
  const order = tokens.isNext('asc', 'desc') ? tokens.take().text : undefined;
  return tokens.node({ field, ...(order && { order }) }, column);
}

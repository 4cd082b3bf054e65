import type { Context, ESTree, Rule, Scope, Variable } from '@oxlint/plugins';
import { HANGS_AFTER_MS } from '../hangs.ts';

type Node = ESTree.Node;

const MESSAGE =
  'What a test measures is compared with HANGS_AFTER_MS (test/support/hangs.ts) or more, because slow machines exist. ' +
  'Test a promise on a fake clock or at its configured limit, and measure in make bench.';
const CLOCKS = new Set(['performance.now', 'Date.now', 'process.hrtime.bigint', 'process.threadCpuUsage']);
const COMPARISONS = new Set(['toBeLessThan', 'toBeLessThanOrEqual']);

/** Refuses an expectation that less than `HANGS_AFTER_MS` passed between two readings of a clock. */
export const measuredDurations: Rule = {
  meta: { type: 'problem', schema: [], messages: { tight: MESSAGE } },
  create: (context) => ({
    CallExpression(node) {
      const compared = comparisonIn(node);
      if (!compared || !isMeasured(compared.subject, context)) return;
      const limitMs = valueOf(compared.limit, context);
      if (limitMs === undefined || limitMs < HANGS_AFTER_MS) context.report({ node, messageId: 'tight' });
    },
  }),
};

/** The subject and the limit of `expect(subject).toBeLessThan(limit)`. */
function comparisonIn({ callee, arguments: [limit] }: ESTree.CallExpression) {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  const { object, property } = callee;
  if (!COMPARISONS.has(property.name) || object.type !== 'CallExpression') return undefined;
  const [subject] = object.arguments;
  const isExpect = object.callee.type === 'Identifier' && object.callee.name === 'expect';
  return isExpect && subject && limit ? { subject, limit } : undefined;
}

/** Whether the value is a time since a reading of a clock, perhaps by way of a variable or of a function of the file. */
function isMeasured(node: Node, context: Context, seen = new Set<unknown>()): boolean {
  if (isDifference(node)) return true;
  if (node.type === 'Identifier') {
    const variable = variableOf(node, context);
    if (!variable || seen.has(variable)) return false;
    seen.add(variable);
    return valuesOf(variable).some((value) => isMeasured(value, context, seen));
  }
  // A member is measured only if its own value is, of which nothing is known.
  if (node.type === 'MemberExpression') return false;
  return childrenOf(node, context).some((child) => isMeasured(child, context, seen));
}

function isDifference(node: Node): boolean {
  return (
    node.type === 'BinaryExpression' &&
    node.operator === '-' &&
    node.left.type === 'CallExpression' &&
    CLOCKS.has(dottedName(node.left.callee))
  );
}

/** The code of which a variable has its values: initialisers, assignments, and what a function does. */
function valuesOf({ defs, references }: Variable): Node[] {
  const defined = defs.flatMap((def): Node[] => {
    if (def.type === 'FunctionName') return [(def.node as { body: Node }).body];
    if (def.node.type !== 'VariableDeclarator' || def.node.id.type !== 'Identifier') return [];
    return def.node.init ? [def.node.init] : [];
  });
  const written = references.flatMap(({ writeExpr, init }) =>
    writeExpr && !init ? [writeExpr as Node] : [],
  );
  return [...defined, ...written];
}

/** The value of a number that is known without running the test. */
function valueOf(node: Node, context: Context, depth = 0): number | undefined {
  if (depth > 9) return undefined;
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.type === 'Identifier') {
    if (node.name === 'HANGS_AFTER_MS') return HANGS_AFTER_MS;
    const [value, ...others] = valuesOf(variableOf(node, context) ?? ({ defs: [], references: [] } as never));
    return value && others.length === 0 ? valueOf(value, context, depth + 1) : undefined;
  }
  if (node.type !== 'BinaryExpression') return undefined;
  const of = (side: Node) => valueOf(side, context, depth + 1);
  const [left, right] = [of(node.left), of(node.right)];
  if (left === undefined || right === undefined) return undefined;
  if (node.operator === '+') return left + right;
  if (node.operator === '-') return left - right;
  if (node.operator === '*') return left * right;
  return node.operator === '/' ? left / right : undefined;
}

function variableOf(node: Node & { type: 'Identifier' }, { sourceCode }: Context) {
  for (let scope: Scope | null = sourceCode.getScope(node); scope; scope = scope.upper) {
    const variable = scope.set.get(node.name);
    if (variable) return variable;
  }
  return undefined;
}

function dottedName(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression') return '';
  return `${dottedName(node.object)}.${dottedName(node.property)}`;
}

function childrenOf(node: Node, { sourceCode }: Context): Node[] {
  const keys = sourceCode.visitorKeys[node.type] ?? [];
  return keys.flatMap((key) => (node as unknown as Record<string, Node | Node[]>)[key] ?? []).filter(Boolean);
}

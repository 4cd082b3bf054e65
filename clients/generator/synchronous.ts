/** What differs between the client for asyncio and the one that waits. */
const RULES: [RegExp, string][] = [
  [/\bsaring\.(gen\.)?asynchronous\b/g, 'saring.gen.synchronous'],
  [/\basync (?=def|for|with)/g, ''],
  [/\bawait /g, ''],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\bAsyncGenerator\[(.*), None\]/g, 'Generator[$1, None, None]'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b__a(?=(iter|next|enter|exit)__)/g, '__'],
  [/\ba(?=(close|closing|iter_bytes|next)\b)/g, ''],
];

/** The module of the waiting client that does what a module of the asynchronous one does. */
export function synchronous(module: string, name: string): string {
  const text = RULES.reduce(
    (changed, [pattern, replacement]) => changed.replace(pattern, replacement),
    module,
  );
  return `# Generated from saring/asynchronous/${name}.\n${text}`;
}

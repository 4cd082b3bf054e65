import type { Suggestion } from './empty-block.ts';

/** A suggestion as a client reads it. */
export type ReadSuggestion = Pick<Suggestion, 'param' | 'value'> &
  Record<'label' | 'current' | 'suggested' | 'why', string>;

/** What a caller who follows a suggestion changes. */
export function followed({ param, value }: Pick<Suggestion, 'param' | 'value'>): object {
  return { [param]: value };
}

/** How many names a suggestion says it lets through. */
export function promised({ why }: { why: string }): number {
  return Number(/(\S+) saham akan lolos\./.exec(why)?.[1]?.replaceAll('.', ''));
}

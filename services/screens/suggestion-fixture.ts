import type { Suggestion } from './empty-block.ts';

/** What a caller who follows a suggestion changes. */
export function followed({ param, value }: Suggestion): object {
  return { [param]: value };
}

/** How many names a suggestion says it lets through. */
export function promised({ why }: Suggestion): number {
  return Number(/(\S+) saham akan lolos\./.exec(why)?.[1]?.replaceAll('.', ''));
}

/** The first half of a character that takes two places of a string, without its second half. */
const HALF_AT_END = /[\uD800-\uDBFF]$/;

/**
 * The start of a text, in at most `maxLength` places. Where `slice` would leave half of an emoji, it leaves the emoji
 * out: half a character cannot be encoded.
 */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(HALF_AT_END, '');
}

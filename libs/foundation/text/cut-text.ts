/** The first half of a surrogate pair without its second half. */
const HALF_AT_END = /[\uD800-\uDBFF]$/;

/**
 * The start of a text, with at most `maxLength` UTF-16 units. Where `slice` would cut a surrogate pair such as an emoji in
 * half, the whole character is dropped, because half a pair cannot be encoded.
 */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(HALF_AT_END, '');
}

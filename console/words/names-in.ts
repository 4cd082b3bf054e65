/** Names that a person has typed, separated by commas, spaces or both. */
export function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

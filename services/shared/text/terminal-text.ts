/**
 * What a terminal obeys instead of showing it, or shows in another place than where it stands: control characters
 * (with ESC and the 8-bit CSI), format characters (with the overrides of writing direction and what has no width),
 * halves of characters, and separators of lines.
 */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from outside (names in an archive, lines of a file, messages of a service) as a terminal may be given it: what
 * would act on the terminal is shown escaped, as in `\x1b`.
 * @param keepsLines leaves line feeds as they are; for text whose lines are our own
 */
export function terminalText(text: string, { keepsLines = false } = {}): string {
  return text.replace(NOT_SHOWN, (character) =>
    keepsLines && character === '\n' ? character : (SHORT[character] ?? escaped(character)),
  );
}

/** A JSON document as a terminal may be given it; it still says the same to whoever parses it. */
export function terminalJson(document: unknown): string {
  return JSON.stringify(document, null, 2).replace(NOT_SHOWN, (character) =>
    character === '\n' ? character : unitsOf(character).join(''),
  );
}

function escaped(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

function unitsOf(character: string): string[] {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  });
}

/**
 * Characters that a terminal interprets, hides or moves: control characters (including ESC and the 8-bit CSI), format
 * characters (including direction overrides and those without width), unpaired surrogates and line separators.
 */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes text from outside (names in an archive, lines of a file, messages of a service) safe to print on a terminal: escapes
 * the characters that would act on it, for example as `\x1b`.
 * @param keepsLines leaves line feeds unchanged; for text with line feeds of our own
 */
export function terminalText(text: string, { keepsLines = false } = {}): string {
  return text.replace(NOT_SHOWN, (character) =>
    keepsLines && character === '\n' ? character : (SHORT[character] ?? escaped(character)),
  );
}

/** Escapes control characters in a JSON document so that it is safe to print on a terminal. Parsing it gives the same value. */
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

import { Localised } from '#foundation/text/localised.ts';

/** A part of a JSON text, in bytes of UTF-8, and its replacement in another language. */
export interface Replacement {
  from: number;
  to: number;
  json: string;
}

/**
 * Marks the place of sentence `n` until the text is assembled. No sentence contains it, because JSON escapes control
 * characters.
 */
const placeholder = (n: number) => `\u0000${n}\u0000`;
const PLACEHOLDER = /"\\u0000(\d+)\\u0000"/;

/**
 * A value as JSON in Bahasa Indonesia, and the parts that differ in English. A large text is thus stored once and assembled in
 * either language without parsing it.
 */
export function localisedJson(value: unknown): { json: string; english: Replacement[] } {
  const sentences: Localised[] = [];
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, member: unknown) {
    const before = this[key];
    return before instanceof Localised ? placeholder(sentences.push(before) - 1) : member;
  });
  const parts = text.split(PLACEHOLDER);
  const english: Replacement[] = [];
  let [json, bytes] = ['', 0];
  for (const [i, part] of parts.entries()) {
    const sentence = i % 2 === 1 ? sentences[Number(part)]! : undefined;
    const piece = sentence ? JSON.stringify(sentence.in.id) : part;
    const length = Buffer.byteLength(piece);
    if (sentence) english.push({ from: bytes, to: bytes + length, json: JSON.stringify(sentence.in.en) });
    json += piece;
    bytes += length;
  }
  return { json, english };
}

/** A JSON text with parts replaced. The replacements must be in order and must not overlap. */
export function withReplacements(json: Buffer, replacements: readonly Replacement[]): string {
  let [text, at] = ['', 0];
  for (const { from, to, json: other } of replacements) {
    text += json.toString('utf8', at, from) + other;
    at = to;
  }
  return text + json.toString('utf8', at);
}

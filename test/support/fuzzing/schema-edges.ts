import fc from 'fast-check';
import { alternatives, type JsonSchema } from './json-schema.ts';

/** A value at the very edge of what a schema allows. */
export interface Edge {
  value: string | number;
  isAllowed: boolean;
}

/** Every word; every bound of a number and of the length of a text, and the first value beyond each. */
export function edgesOf(schema: JsonSchema): Edge[] {
  return alternatives(schema).flatMap((one) => [
    ...(one.enum ?? []).map(allowed),
    ...numberEdges(one),
    ...lengthEdges(one),
  ]);
}

const allowed = (value: string | number): Edge => ({ value, isAllowed: true });
const refused = (value: string | number): Edge => ({ value, isAllowed: false });

function numberEdges({ minimum, maximum, type }: JsonSchema): Edge[] {
  const beyond = (bound: number) => (type === 'integer' ? 1 : 1e-9 * (1 + Math.abs(bound)));
  return [
    ...(minimum === undefined ? [] : [allowed(minimum), refused(minimum - beyond(minimum))]),
    ...(maximum === undefined ? [] : [allowed(maximum), refused(maximum + beyond(maximum))]),
  ];
}

function lengthEdges({ type, pattern, minLength, maxLength }: JsonSchema): Edge[] {
  if (type !== 'string') return [];
  const [, character, least, most] = /^\^(.*)\{(\d+),(\d+)\}\$$/.exec(pattern ?? '') ?? [];
  const [min, max] = character ? [Number(least), Number(most)] : [minLength, maxLength];
  const ofLength = (length: number) => textLike(character ?? 'v', length);
  return [
    ...(min === undefined ? [] : [allowed(ofLength(min))]),
    ...(min ? [refused(ofLength(min - 1))] : []),
    ...(max === undefined ? [] : [allowed(ofLength(max)), refused(ofLength(max + 1))]),
  ];
}

/** One that no header would come without parts of. */
function textLike(pattern: string, times: number): string {
  const texts = fc
    .stringMatching(new RegExp(`^${pattern}{${times}}$`))
    .filter((text) => text === text.trim());
  return fc.sample(texts, { numRuns: 1, seed: 1 })[0]!;
}

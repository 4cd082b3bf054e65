import { language, LANGUAGES } from './language.ts';

type Pair = readonly [english: string, indonesian: string];

/** Words, sentences about something, and groups of both. */
interface Texts {
  readonly [name: string]: Pair | ((...about: never[]) => Pair) | Texts;
}

/** The same in one language. */
type InOne<Both> = {
  readonly [Name in keyof Both]: Both[Name] extends Pair
    ? string
    : Both[Name] extends (...about: infer About) => Pair
      ? (...about: About) => string
      : InOne<Both[Name]>;
};

/**
 * Words of a part of the console, read in the language that is chosen at that moment: what shows one is drawn again after another choice.
 * Each is a pair, English first, so that none is missing in one of them.
 */
export function inLanguages<const Both extends Texts>(both: Both): InOne<Both> {
  return readable(both) as InOne<Both>;
}

const chosenOf = (pair: Pair) => pair[LANGUAGES.indexOf(language.value)]!;

function readable(both: Texts): object {
  const words = {};
  for (const [name, text] of Object.entries(both))
    Object.defineProperty(words, name, { get: reading(text), enumerable: true });
  return words;
}

function reading(text: Texts[string]): () => unknown {
  if (typeof text === 'function') {
    const sentence = (...about: never[]) => chosenOf(text(...about));
    return () => sentence;
  }
  if (Array.isArray(text)) return () => chosenOf(text as unknown as Pair);
  const group = readable(text as Texts);
  return () => group;
}

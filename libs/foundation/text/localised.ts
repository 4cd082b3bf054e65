import { FORMATS, type Formats, type Language, type Sentence } from './languages.ts';

/** A sentence in every language. Its JSON is the sentence in Bahasa Indonesia. */
export class Localised {
  readonly in: Sentence;

  constructor(id: string, en: string) {
    this.in = { id, en };
  }

  toJSON(): string {
    return this.in.id;
  }
}

type Writer = (formats: Formats) => string;

/** A sentence with numbers or dates in the format of each language. */
export function localised(id: Writer, en: Writer): Localised {
  return new Localised(id(FORMATS.id), en(FORMATS.en));
}

/** Joins sentences and skips undefined ones. */
export function joined(parts: readonly (Localised | undefined)[], between = ' '): Localised {
  const said = parts.filter((part) => part !== undefined);
  const all = (language: Language) => said.map((part) => part.in[language]).join(between);
  return new Localised(all('id'), all('en'));
}

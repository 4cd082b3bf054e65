import { inLanguages } from './in-languages.ts';
import { indonesianOf } from './rule-mistakes-indonesian.ts';

/** The API's own messages are English. */
const translation = inLanguages<(ctx: object) => string | undefined>({
  en: () => undefined,
  id: indonesianOf,
});

/** What is wrong with a value, in the chosen language; in the API's words where the console has none. */
export function mistakeText({ msg, ctx = {} }: { msg: string; ctx?: object }): string {
  return translation.value(ctx) ?? msg;
}

import { language } from './language.ts';
import { indonesianOf } from './rule-mistakes-indonesian.ts';

/** What is wrong with a value, in the chosen language; in the API's words where the console has none. These are English. */
export function mistakeText({ msg, ctx = {} }: { msg: string; ctx?: object }): string {
  return (language.value === 'id' ? indonesianOf(ctx) : undefined) ?? msg;
}

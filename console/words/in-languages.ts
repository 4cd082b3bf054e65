import { computed, type ReadonlySignal } from '@preact/signals';
import { language, type Language } from './language.ts';

/** Words of a part of the console, in the chosen language. The compiler checks that both languages have the same ones. */
export function inLanguages<Words>(both: { en: Words; id: NoInfer<Words> }): ReadonlySignal<Words> {
  return computed(() => (both satisfies Record<Language, Words>)[language.value]);
}

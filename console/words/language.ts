import { effect, signal } from '@preact/signals';
import { storeChoice, storedChoice } from '../browser/stored-choice.ts';

export const LANGUAGES = ['en', 'id'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of the browser, until the person chooses one. */
export const language = signal<Language>(
  storedChoice('language', LANGUAGES) ?? (/^(id|ms)\b/.test(navigator.language) ? 'id' : 'en'),
);

export function chooseLanguage(to: Language): void {
  language.value = to;
  storeChoice('language', to);
}

effect(() => {
  document.documentElement.lang = language.value;
});

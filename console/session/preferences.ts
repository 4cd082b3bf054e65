import { effect, signal } from '@preact/signals';

export const LANGUAGES = ['en', 'id'] as const;
export type Language = (typeof LANGUAGES)[number];
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** The browser's preference, until the person chooses. Choices are stored in the browser. */
export const language = signal<Language>(
  chosen('language', LANGUAGES) ?? (/^(id|ms)\b/.test(navigator.language) ? 'id' : 'en'),
);
export const theme = signal<Theme>(chosen('theme', THEMES) ?? (prefersDark() ? 'dark' : 'light'));

export function chooseLanguage(to: Language): void {
  language.value = to;
  localStorage.setItem('saring.language', to);
}

export function chooseTheme(to: Theme): void {
  theme.value = to;
  localStorage.setItem('saring.theme', to);
}

effect(() => {
  document.documentElement.lang = language.value;
});
effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

function chosen<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
  const kept = localStorage.getItem(`saring.${name}`);
  return choices.find((choice) => choice === kept);
}

function prefersDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

const SIGNED_IN_AS = 'saring.signed-in-as';

/**
 * For which end user this browser is signed in; undefined if it is not, as far as a page can know. It cannot see the cookie of its
 * session, and a request to find out would be one without a key. Every tab sees the same.
 */
export function signedInAs(): string | undefined {
  return localStorage.getItem(SIGNED_IN_AS) ?? undefined;
}

export function rememberSignIn(endUser: string | undefined): void {
  if (endUser === undefined) localStorage.removeItem(SIGNED_IN_AS);
  else localStorage.setItem(SIGNED_IN_AS, endUser);
}

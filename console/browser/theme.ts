import { effect, signal } from '@preact/signals';
import { storeChoice, storedChoice } from './stored-choice.ts';

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** The theme of the browser, until the person chooses one. */
export const theme = signal<Theme>(
  storedChoice('theme', THEMES) ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'),
);

export function chooseTheme(to: Theme): void {
  theme.value = to;
  storeChoice('theme', to);
}

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

import { computed, signal } from '@preact/signals';

/** The current place: `#/market/BBCA?days=20` is the page `market`, its argument, and its choices. */
interface Place {
  page: string;
  argument: string;
  choices: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const place = computed<Place>(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?');
  const [page = '', argument = ''] = path.split('/');
  return { page, argument: decoded(argument), choices: new URLSearchParams(query) };
});

/** A mistyped address is passed on unchanged: its page says that nothing has this name. */
function decoded(argument: string): string {
  try {
    return decodeURIComponent(argument);
  } catch {
    return argument;
  }
}

/** The address of a page. */
export function linkTo(page: string, argument = '', choices: Record<string, string> = {}): string {
  const query = new URLSearchParams(choices).toString();
  return `#/${page}${argument && `/${encodeURIComponent(argument)}`}${query && `?${query}`}`;
}

export function goTo(link: string): void {
  location.hash = link;
}

/** Changes a choice of the current place, without a step in the history. An empty value removes it. */
export function replaceChoice(name: string, value: string): void {
  const { page, argument, choices } = place.peek();
  const others = new URLSearchParams(choices);
  if (value === '') others.delete(name);
  else others.set(name, value);
  replaceAddress(linkTo(page, argument, Object.fromEntries(others)));
}

/** Replaces the current address. Neither the history nor the address bar keeps the old one. */
export function replaceAddress(link: string): void {
  history.replaceState(null, '', link);
  hash.value = location.hash;
}

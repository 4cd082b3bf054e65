import { element, type Markup } from './markup.ts';

export interface Table {
  caption: string;
  /** The first column names the row, the others hold figures. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Wider than a phone, a table is moved sideways within its own frame. */
export function tableOf({ caption, head, rows }: Table): Markup {
  const [nameHead, ...figureHeads] = head;
  return element(
    'div',
    { class: 'table', tabindex: 0 },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, nameHead),
          figureHeads.map((title) => element('th', { scope: 'col', class: 'figure' }, title)),
        ),
      ),
      element(
        'tbody',
        {},
        rows.map(([name, ...figures]) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, name),
            figures.map((figure) => element('td', { class: 'figure' }, figure)),
          ),
        ),
      ),
    ),
  );
}

import { rounded } from '#foundation/rounded.ts';

/** Markup whose text is already escaped. */
export interface Markup {
  readonly markup: string;
}

type Child = Markup | string | number | undefined | readonly Child[];
type Attributes = Record<string, string | number | undefined>;

/** An HTML or SVG element. Text and attribute values are escaped; undefined children are left out. */
export function element(name: string, attributes: Attributes = {}, ...children: Child[]): Markup {
  const attributeTexts = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(written(value))}"`],
  );
  const open = `<${name}${attributeTexts.join('')}>`;
  return { markup: VOID.has(name) ? open : `${open}${children.map(inner).join('')}</${name}>` };
}

const VOID = new Set(['meta', 'br']);

function inner(child: Child): string {
  if (child === undefined) return '';
  if (typeof child === 'string' || typeof child === 'number') return escaped(String(child));
  return isMany(child) ? child.map(inner).join('') : child.markup;
}

function isMany(child: Markup | readonly Child[]): child is readonly Child[] {
  return Array.isArray(child);
}

/** Rounds to a hundredth of a drawing unit, because finer differences are invisible. */
function written(value: string | number): string {
  return typeof value === 'number' ? String(rounded(value, 2)) : value;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
}

/** The title of a column, and what it shows of a row. */
export type Column<Row> = readonly [title: string, cell: (row: Row) => string];

interface Table<Row> {
  caption: string;
  /** The first column names the row, the others hold figures. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** A table wider than the screen scrolls sideways within its own frame. */
export function tableOf<Row>({ caption, columns, rows }: Table<Row>): Markup {
  const [[nameTitle, nameOf], ...figures] = columns as [Column<Row>, ...Column<Row>[]];
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
          element('th', { scope: 'col' }, nameTitle),
          figures.map(([title]) => element('th', { scope: 'col', class: 'figure' }, title)),
        ),
      ),
      element(
        'tbody',
        {},
        rows.map((row) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, nameOf(row)),
            figures.map(([, cell]) => element('td', { class: 'figure' }, cell(row))),
          ),
        ),
      ),
    ),
  );
}

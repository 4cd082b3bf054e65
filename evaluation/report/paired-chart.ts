import { axisOver, CHART_WIDTH, drawing, verticalGrid } from './axis.ts';
import { element, type Markup } from './markup.ts';

export interface PairedChart {
  name: string;
  /** What the open and the full mark are of. */
  legend: { reference: string; measured: string };
  rows: readonly { name: string; reference: number | null; measured: number | null }[];
  written: (value: number) => string;
}

const ROW_HEIGHT = 24;
const TOP = 26;
const LABEL_WIDTH = 88;
const RIGHT = 16;

/** In each row the distance from what was to be expected to what came. */
export function pairedChart({ name, legend, rows, written }: PairedChart): Markup {
  const drawn = rows.filter(({ reference, measured }) => reference !== null && measured !== null);
  const values = drawn.flatMap(({ reference, measured }) => [reference!, measured!]);
  const axis = axisOver([0, ...values], { start: LABEL_WIDTH, end: CHART_WIDTH - RIGHT });
  const bottom = TOP + drawn.length * ROW_HEIGHT;
  const marks = drawn.map(({ name: of, reference, measured }, i) => {
    const y = TOP + (i + 0.5) * ROW_HEIGHT;
    const [from, to] = [axis.at(reference!), axis.at(measured!)];
    return element(
      'g',
      {},
      element('text', { class: 'name', x: 4, y: y + 4 }, of),
      element('line', { class: 'whisker', x1: from, x2: to, y1: y, y2: y }),
      element('circle', { class: 'reference', cx: from, cy: y, r: 4 }),
      element('circle', { class: 'point', cx: to, cy: y, r: 4.5 }),
    );
  });
  return drawing(
    bottom + 22,
    name,
    ...legendOf(legend),
    ...verticalGrid(axis, TOP, bottom, written),
    ...marks,
  );
}

function legendOf({ reference, measured }: PairedChart['legend']): Markup[] {
  return [
    element('circle', { class: 'reference', cx: LABEL_WIDTH + 4, cy: 10, r: 4 }),
    element('text', { class: 'tick', x: LABEL_WIDTH + 14, y: 14 }, reference),
    element('circle', { class: 'point', cx: LABEL_WIDTH + 134, cy: 10, r: 4.5 }),
    element('text', { class: 'tick', x: LABEL_WIDTH + 144, y: 14 }, measured),
  ];
}

import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DataRow, type RowColumn } from './data-row.tsx';
import type { CellValue } from './table-view.ts';

/** Before a row is measured. */
const ROW_HEIGHT_PX = 42;
/** Rows beyond either edge of the window, so that scrolling and the keys of the keyboard find them drawn. */
const BEYOND_EDGES = 12;
const ENDS = ['Home', 'End'];

type LongColumn<Row> = RowColumn<Row> & { value?: (row: Row) => CellValue };

interface LongRowsProps<Row> {
  rows: readonly Row[];
  columns: readonly LongColumn<Row>[];
  keyOf: (row: Row) => string;
  pinned: number;
  selected: string | undefined;
}

/**
 * The rows of a long table. Only those near the window are in the document, and the one that has the focus with
 * its neighbours, to which the keys of the keyboard lead; on paper all are.
 */
export function LongRows<Row>({ rows, columns, keyOf, pinned, selected }: LongRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef<number>(undefined);
  /** The row that gets the focus once it is drawn. */
  const wanted = useRef<number>(undefined);
  const [top, setTop] = useState(0);
  const [, setTimes] = useState(0);
  const draw = () => setTimes((times) => times + 1);
  const isPrinting = useIsPrinting();
  const options = {
    count: rows.length,
    getScrollElement: () => window,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: (at: number) => keyOf(rows[at]!),
    scrollMargin: top,
    // So that the first drawing has rows.
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
    overscan: BEYOND_EDGES,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const kept = [focused.current, wanted.current].flatMap((at) =>
        at === undefined ? [] : [at - 1, at, at + 1],
      );
      const drawn = new Set([...defaultRangeExtractor(range), ...kept.filter((at) => at in rows)]);
      return [...drawn].toSorted((a, b) => a - b);
    },
    onChange: draw,
  };
  const [shown] = useState(() => new Virtualizer<Window, HTMLTableRowElement>(options));
  shown.setOptions(options);
  useLayoutEffect(() => shown._didMount(), []);
  useLayoutEffect(() => {
    shown._willUpdate();
    setTop(Math.round(body.current!.getBoundingClientRect().top + scrollY));
    if (wanted.current === undefined) return;
    body.current!.querySelector<HTMLElement>(`[data-index="${wanted.current}"] :is(a, button)`)?.focus();
    wanted.current = undefined;
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!ENDS.includes(event.key) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    wanted.current = event.key === 'Home' ? 0 : rows.length - 1;
    draw();
  };
  const items = isPrinting ? rows.map((_, index) => ({ index, start: 0, end: 0 })) : shown.getVirtualItems();
  const drawn: VNode[] = [];
  let end = isPrinting ? 0 : top;
  const leaveGap = (until: number) => {
    if (until > end) drawn.push(<Gap key={`gap ${end}`} heightPx={until - end} columns={columns.length} />);
  };
  for (const item of items) {
    const row = rows[item.index];
    if (row === undefined) continue;
    leaveGap(item.start);
    end = item.end;
    drawn.push(
      <DataRow
        key={keyOf(row)}
        row={row}
        columns={columns}
        pinned={pinned}
        isSelected={keyOf(row) === selected}
        at={item.index}
        measure={shown.measureElement}
      />,
    );
  }
  if (!isPrinting) leaveGap(top + shown.getTotalSize());
  return (
    <>
      <tbody
        ref={body}
        onKeyDown={onKeyDown}
        onFocusIn={({ target }) => {
          const index = (target as Element).closest('tr')?.dataset['index'];
          focused.current = index === undefined ? undefined : Number(index);
        }}
        onFocusOut={() => (focused.current = undefined)}
      >
        {drawn}
      </tbody>
      <Widest rows={rows} columns={columns} />
    </>
  );
}

/** The place of rows that are not in the document. */
function Gap({ heightPx, columns }: { heightPx: number; columns: number }) {
  return (
    <tr aria-hidden="true" class="gap">
      <td colSpan={columns} style={{ height: `${heightPx}px` }} />
    </tr>
  );
}

/** Keeps each column as wide as its longest value, which may not be in the document. Takes no height. */
function Widest<Row>({ rows, columns }: Pick<LongRowsProps<Row>, 'rows' | 'columns'>) {
  const frame = useRef<HTMLTableSectionElement>(null);
  const [font, setFont] = useState('');
  useLayoutEffect(() => setFont(getComputedStyle(frame.current!).font), []);
  const widest = useMemo(() => columns.map((column) => widestIn(rows, column, font)), [rows, columns, font]);
  return (
    <tfoot aria-hidden="true" class="widest" ref={frame}>
      <tr>
        {columns.map(({ title, isNumber, of }, at) => (
          <td key={title} class={isNumber ? 'number' : ''}>
            <div>{of(widest[at]!)}</div>
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

const canvas = document.createElement('canvas').getContext('2d')!;

function widestIn<Row>(rows: readonly Row[], { of, value }: LongColumn<Row>, font: string): Row {
  canvas.font = font;
  const widthOf = (row: Row) => {
    const shown = of(row);
    return canvas.measureText(String(typeof shown === 'object' ? (value?.(row) ?? '') : shown)).width;
  };
  let [widest] = rows;
  let most = 0;
  for (const row of rows) {
    const width = widthOf(row);
    if (width > most) [widest, most] = [row, width];
  }
  return widest!;
}

function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => setPrinting(true);
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The share of its frame that pinned columns may cover: otherwise nothing would scroll between them. */
const MOST = 0.6;

/** How a cell is shown: numbers to the right, and in sight while others scroll if it is among the pinned, by its place in the row. */
export function lookOf(isNumber: boolean | undefined, place: number, pinned: number) {
  const isPinned = place > 0 && place <= pinned;
  return {
    class: [isNumber && 'number', isPinned && 'pinned'].filter((name) => name).join(' '),
    ...(isPinned && { style: { left: `var(--pinned-${place})` } }),
  };
}

/**
 * Tells each pinned column of a table how far from the left it stays: as far as those before it are wide.
 * @param columns their names, in the order of the table
 * @param pinned how many are pinned after the first
 */
export function usePinnedColumns(
  table: RefObject<HTMLTableElement | null>,
  columns: readonly string[],
  pinned: number,
): void {
  useLayoutEffect(() => {
    if (pinned === 0) return;
    const { style, parentElement: frame, tHead } = table.current!;
    const heads = [...tHead!.rows[0]!.cells].slice(0, pinned + 1);
    const place = () => {
      const room = frame!.clientWidth * MOST;
      let left = 0;
      for (const [at, { offsetWidth }] of heads.entries()) {
        style.setProperty(`--pinned-${at}`, left + offsetWidth > room ? 'auto' : `${left}px`);
        left += offsetWidth;
      }
    };
    place();
    const resizes = new ResizeObserver(place);
    for (const resized of [frame!, ...heads]) resizes.observe(resized);
    return () => resizes.disconnect();
  }, [columns.join('\n'), pinned]);
}

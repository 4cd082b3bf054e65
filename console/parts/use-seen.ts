import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What is a little below the window is seen soon. */
const SOON = '200px';

/** Whether an element has come into view. Once it has, it stays so. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setSeen(true);
        watch.disconnect();
      },
      { rootMargin: SOON },
    );
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);
  return isSeen;
}

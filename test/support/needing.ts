declare module 'vitest' {
  interface TaskMeta {
    /** What a skipped test or suite lacks on this machine; the report lists it at the end of the run. */
    needs?: string;
  }
}

/** Where tests find the real market, which the project does not ship. */
export const THE_REAL_MARKET = 'the real market (../shared/data)';
export const ROOT = 'root';

/** Options of a test or suite that is skipped on a machine without what it needs. */
export const needing = (needs: string, isThere: boolean) => ({ skip: !isThere, meta: { needs } });

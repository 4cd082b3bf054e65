/**
 * The lowest limit for what a test measures: at least ten times what any call takes on a quiet machine, so that only a call
 * that hangs exceeds it. The linter refuses lower ones. A test makes whatever must not be waited for at least twice as long.
 */
export const HANGS_AFTER_MS = 30_000;

/**
 * How long and how often a test looks for what comes by itself. No busy machine needs as long: only what never comes ends a test.
 */
export const IN_TIME = { timeout: 180_000, interval: 50 };

/**
 * Services that can share a process, each after those that it calls. None of them keeps a processor busy or holds a market in
 * memory, and strangers talk to none of them.
 */
export const LIGHT_SERVICES = ['keys', 'consent', 'usage', 'models', 'scheduler'] as const;

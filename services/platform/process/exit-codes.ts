/** Exit codes of `saring …` that a script can branch on. With `unavailable` the same command may succeed a moment later. */
export const EXIT = { ok: 0, refused: 1, usage: 2, noFleet: 3, shrinks: 4, unavailable: 5 } as const;

/** Where a part gets the time from; tests pass their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

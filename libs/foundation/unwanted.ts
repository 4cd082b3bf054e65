/** Long work, which reads between steps of some milliseconds whether anybody still waits for it. */
export interface MayBeUnwanted {
  readonly isUnwanted?: (() => boolean) | undefined;
}

/** @throws Error once nobody waits any more */
export function refuseUnwanted({ isUnwanted }: MayBeUnwanted): void {
  if (isUnwanted?.()) throw new Error('nobody waits for this any more');
}

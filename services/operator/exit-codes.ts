/** What a script can branch on after `saring …`. */
export const EXIT = { ok: 0, refused: 1, usage: 2, noFleet: 3, shrinks: 4 } as const;

/** Ends the command with one sentence on standard error. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

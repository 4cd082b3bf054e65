/** A reason not to run that the person at the terminal can act on: printed as one sentence, without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

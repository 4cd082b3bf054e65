/** A failure that the user at the terminal can fix: printed as one sentence, without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

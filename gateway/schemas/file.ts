import Type from 'typebox';

/** The bytes of a file. */
export const File = (description: string) =>
  Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description });

/** A handler of a call that no route makes. */
export const notNeeded = (): never => {
  throw new Error('the gateway does not call this');
};

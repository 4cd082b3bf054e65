import type { RequestHandler } from 'express';

/**
 * One handler made of stages, each of which answers the request or passes it on to the next. Express would match the path again
 * before each of them.
 */
export function inTurn(...stages: RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let at = 0;
    const goOn = (refusal?: unknown): void => {
      const stage = stages[at++];
      if (refusal !== undefined || !stage) return next(refusal);
      try {
        const pending: unknown = stage(req, res, goOn);
        if (pending instanceof Promise) pending.catch(next);
      } catch (thrown) {
        next(thrown);
      }
    };
    goOn();
  };
}

/** The stages of requests to this path and to paths below it. Others pass them by. */
export function below(path: string, ...stages: RequestHandler[]): RequestHandler {
  const [inside, folder] = [inTurn(...stages), `${path}/`];
  return (req, res, next) =>
    req.path.startsWith(folder) || req.path === path ? inside(req, res, next) : next();
}

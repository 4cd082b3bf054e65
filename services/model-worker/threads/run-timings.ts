import type { Stage } from '#models/results/results.ts';
import type { ScreenOutput } from '#models/model/screen.ts';
import type { Origin } from '#models/trained/result.ts';

/** When a stage of a run began and ended, in milliseconds since 1970. */
export interface StageTime {
  stage: Stage;
  fromMs: number;
  toMs: number;
}

export class RunTimings {
  readonly #ms = new Map<Stage, number>();
  readonly stages: StageTime[] = [];
  readonly #begunMs: number;
  #lastMs: number;

  /** @param begunAtMs when the run began, in milliseconds since 1970; now if absent */
  constructor(begunAtMs?: number) {
    this.#begunMs = begunAtMs === undefined ? performance.now() : begunAtMs - performance.timeOrigin;
    this.#lastMs = this.#begunMs;
  }

  /** Ends a stage: the time since the previous mark counts for it. */
  readonly mark = (stage: Stage): void => {
    const nowMs = performance.now();
    this.#ms.set(stage, (this.#ms.get(stage) ?? 0) + nowMs - this.#lastMs);
    const { timeOrigin } = performance;
    this.stages.push({ stage, fromMs: timeOrigin + this.#lastMs, toMs: timeOrigin + nowMs });
    this.#lastMs = nowMs;
  };

  /** In whole milliseconds; only stages that the run had. */
  get timings(): Record<string, number> {
    const stages = [...this.#ms].map(([stage, ms]) => [stage, Math.round(ms)] as const);
    return { ...Object.fromEntries(stages), total: Math.round(performance.now() - this.#begunMs) };
  }
}

/**
 * Adds the timings and the model's origin to the result. Everything else depends only on the request, not on which run trained
 * the model or how long it took. The compact view has no field for them.
 */
export function withTimings({ result, origin }: ScreenOutput, timings_ms: Record<string, number>): object {
  const { diag } = result as { diag?: Record<string, unknown> };
  if (!diag) return result;
  const model = withOrigin(diag['model'], origin);
  return { ...result, diag: { ...diag, ...('model' in diag && { model }), timings_ms } };
}

function withOrigin(model: unknown, origin: Origin | undefined): unknown {
  return typeof model === 'object' && model !== null && origin ? { ...model, origin } : model;
}

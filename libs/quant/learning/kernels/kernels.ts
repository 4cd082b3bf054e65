import { wasmModule } from '../assembler/module.ts';
import { addTreeKernel } from './add-tree.ts';
import { gradientsKernel, logLossKernel, probabilitiesKernel } from './loss-kernels.ts';
import { histogramKernel } from './histogram.ts';
import type { KernelShape } from './kernel-memory.ts';
import { collectRecordsKernel } from './records.ts';
import { partitionKernel, sampleRowsKernel } from './row-lists.ts';

/** The compiled inner loops, bound to one memory. All arguments are addresses and numbers; see the file of each kernel. */
export interface Kernels {
  addTree(
    branches: number,
    count: number,
    root: number,
    values: number,
    from: number,
    to: number,
    scores: number,
  ): void;
  gradients(
    probabilities: number,
    labels: number,
    weights: number,
    label: number,
    count: number,
    out: number,
  ): void;
  collectRecords(columns: number, from: number, to: number, gradients: number, out: number): void;
  histogram(rows: number, count: number, records: number, gradients: number, cells: number): number;
  logLoss(probabilities: number, stride: number, labels: number, weights: number, count: number): number;
  partition(rows: number, count: number, column: number, cut: number, out: number): number;
  probabilities(sums: number, count: number, stride: number, base: number, out: number): void;
  sampleRows(from: number, to: number, seed: number, limit: number, out: number): number;
}

const compiled = new Map<string, WebAssembly.Module>();

/**
 * The module with the kernels for a shape. Cached for later trainers, because the engine optimises its code while it is used. Threads
 * of a process share that code.
 */
export function compileKernels(shape: KernelShape): WebAssembly.Module {
  const key = Object.values(shape).join();
  const module = compiled.get(key) ?? compile(shape);
  compiled.set(key, module);
  return module;
}

function compile(shape: KernelShape): WebAssembly.Module {
  return new WebAssembly.Module(
    wasmModule([
      addTreeKernel(),
      collectRecordsKernel(shape),
      gradientsKernel(),
      histogramKernel(shape),
      logLossKernel(shape),
      partitionKernel(),
      probabilitiesKernel(shape),
      sampleRowsKernel(),
    ]),
  );
}

export function bindKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels;
}

/** What kernels are generated for. */
export interface KernelShape {
  /** Columns of the binned table. */
  features: number;
  /** Bytes from one row's bins to the next. */
  rowStride: number;
  /** Cells of a feature in a histogram. */
  bins: number;
  /** Scores of a row: 1 for binary, the number of classes otherwise. */
  classes: number;
}
